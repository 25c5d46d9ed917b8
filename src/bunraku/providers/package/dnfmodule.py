"""Modules of ``dnf``: sets of packages in several streams, with profiles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.dnf import Dnf
from bunraku.providers.package.provider import (
    COMMON_FEATURES,
    DISABLED,
    PURGED,
    PackageProvider,
    version_of,
)
from bunraku.providers.package.versions import Debian
from bunraku.providers.provider import State

DNF = "/usr/bin/dnf"
STATE = re.compile(r"\[[eix]\][, ]")
OLDEST = "3.0.1"
"""The first version of dnf with modules."""
QUIET = ("-d", "0", "-e", "1")


class DnfModule(Dnf):
    """Enables streams of modules, and installs their profiles."""

    name = "dnfmodule"
    source: ClassVar[str] = "dnfmodule"
    program: ClassVar[str] = DNF
    programs: ClassVar[tuple[str, ...]] = (DNF,)
    features: ClassVar[frozenset[str]] = COMMON_FEATURES | {
        "versionable",
        "supports_flavors",
        "disableable",
        "purgeable",
    }

    # -- states ----------------------------------------------------------------------------------

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read all modules; raise ResourceFailure for a dnf without modules."""
        version = self.execute(DNF, "--version").output.split()[0]
        if Debian.parse(version) < Debian.parse(OLDEST):
            raise ResourceFailure(f"Modules are not supported on DNF versions lower than {OLDEST}")
        super().prefetch(resources)

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the modules that are enabled, installed or disabled."""
        return dnf_modules(self.execute(DNF, "module", "list", *QUIET).output)

    def query(self, resource: ManagedResource) -> State | None:
        """Return the current state of one module; None if it has its default state."""
        return PackageProvider.query(self, resource)

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether a module is disabled as wanted."""
        if resource["ensure"] != DISABLED:
            return False
        return (self.query(resource) or {}).get("ensure") == DISABLED

    # -- changes ---------------------------------------------------------------------------------

    def module(self, action: str, name: str) -> None:
        """Run an action of ``dnf module``."""
        self.execute(DNF, "module", action, *QUIET, "-y", name)

    def install(self, resource: ManagedResource) -> None:
        """Install a profile of a stream, or only enable the stream if it has no default profile."""
        if self.state(resource)["ensure"] not in (ABSENT, PURGED):
            self.uninstall(resource)
        version, flavor = version_of(resource), resource["flavor"]
        stream = resource.name + ("" if version is None else f":{version}")
        if resource["enable_only"]:
            self.module("enable", stream + (f"/{flavor}" if flavor else ""))
            return
        try:
            self.module("install", stream + (f"/{flavor}" if flavor else ""))
        except ResourceFailure as error:
            name = re.escape(resource.name)
            missing = re.compile(rf"^(?:missing|broken) groups or modules: {name}$", re.MULTILINE)
            if flavor or missing.search(str(error)) is None:
                raise
            self.module("enable", stream)

    def uninstall(self, resource: ManagedResource) -> None:
        """Remove the packages of a module, and return to its default stream."""
        self.module("remove", resource.name)
        self.module("reset", resource.name)

    def disable(self, resource: ManagedResource) -> None:
        """Disable all streams of a module."""
        self.module("disable", resource.name)

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Install another profile."""
        self.install(resource)


def dnf_modules(output: str) -> dict[str, State]:
    """Return the modules in the output of ``dnf module list`` that do not have their default state.

    >>> dnf_modules("nodejs 18 [e] common [d], development [i], minimal  Node\\nperl 5 [d] a [d] b")
    {'nodejs': {'ensure': '18', 'flavor': 'development'}}
    """
    found: dict[str, State] = {}
    for line in output.splitlines():
        if STATE.search(line) is None:
            continue
        words = line.replace("[d]", "").split("[i]")
        name, stream = line.split()[:2]
        flavor = words[0].split()[-1] if len(words) > 1 else ABSENT
        ensure = DISABLED if "[x]" in line else stream
        found.setdefault(name, {"ensure": ensure, "flavor": flavor})
    return found


provider = DnfModule
