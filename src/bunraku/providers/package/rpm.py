"""RPM packages from files, by ``rpm``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.provider import (
    COMMON_FEATURES,
    MISSING,
    PackageProvider,
    flags,
    version_of,
)
from bunraku.providers.package.versions import Rpm, compare_given
from bunraku.providers.provider import State
from bunraku.types.ruby_semantics.values import to_s

FORMAT = "%{NAME} %|EPOCH?{%{EPOCH}}:{0}| %{VERSION} %{RELEASE} %{ARCH}\\n"
LINE = re.compile(r"(\S+) (\S+) (\S+) (\S+) (\S+)")
SEPARATOR = "; "
"""The separator between the versions of a package that is installed several times."""
QUERY = ("--nosignature", "--nodigest", "--qf", FORMAT)


class RpmFiles(PackageProvider):
    """Installs the package file that ``source`` sets."""

    name = "rpm"
    source = "rpm"
    programs: ClassVar[tuple[str, ...]] = ("rpm",)
    features: ClassVar[frozenset[str]] = COMMON_FEATURES | {
        "versionable",
        "install_options",
        "uninstall_options",
        "virtual_packages",
        "install_only",
    }

    # -- states ----------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all packages of the RPM database."""
        return states_of(sorted(self.execute("rpm", "-qa", *QUERY).output.splitlines()))

    def query(self, resource: ManagedResource) -> State | None:
        """Return the state of one package, or of its provider."""
        query = ("rpm", "-q", resource.name, *QUERY)
        done = self.attempt(query)
        if done.code != 0 and resource.is_true("allow_virtual"):
            done = self.attempt((*query, "--whatprovides"))
        if done.code != 0:
            return None
        return next(iter(states_of(done.output.splitlines()).values()), None)

    def surely_missing(self, resource: ManagedResource) -> bool:
        """Return False: a name may contain a version or an architecture."""
        return False

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether an installed version matches the given parts of the wanted one."""
        wanted = version_of(resource)
        if current in MISSING or wanted is None:
            return False
        versions = str(current).split(SEPARATOR)
        if len(versions) > 1 and not resource.is_true("install_only"):
            return False
        return any(self.fits(wanted, version) for version in versions)

    def fits(self, wanted: str, version: str) -> bool:
        """Return whether a version matches the given parts of the wanted one."""
        return compare_given(Rpm.parse(wanted), Rpm.parse(version)) == 0

    def latest(self, resource: ManagedResource) -> Any:
        """Return the version of the package file."""
        source = source_of(resource)
        output = self.execute("rpm", "-q", "--qf", FORMAT, "-p", source).output
        states = list(states_of(output.splitlines()).values())
        if not states:
            raise ResourceFailure(f"{source} is not a package")
        return states[0]["ensure"]

    # -- changes ---------------------------------------------------------------------------------

    def install(self, resource: ManagedResource) -> None:
        """Install the package file, even if it is older than the installed version."""
        source = source_of(resource)
        current = self.state(resource)["ensure"]
        mode = ["-i"] if current in MISSING else ["-U", "--oldpackage"]
        self.execute("rpm", *mode, *flags(resource["install_options"]), source)

    def uninstall(self, resource: ManagedResource) -> None:
        """Remove a package, or only the version or architecture in its name."""
        state = self.query(resource) or {}
        names = identifiers(resource, state)
        self.execute("rpm", "-e", *flags(resource["uninstall_options"]), *names)


def identifiers(resource: ManagedResource, state: State) -> list[str]:
    """Return the names with which rpm removes a package: with version and architecture if given."""
    name = str(state.get("name", resource.name))
    with_version = f"{name}-{state.get('version')}"
    with_release = f"{with_version}-{state.get('release')}"
    if resource.name.startswith(with_release):
        found = [with_release]
    elif resource.name.startswith(with_version):
        found = [with_version]
    elif resource.is_true("install_only") and "ensure" in state:
        found = [f"{name}-{version}" for version in str(state["ensure"]).split(SEPARATOR)]
    else:
        found = [name]
    ending = f".{state.get('arch')}"
    return [one + ending for one in found] if resource.name.endswith(ending) else found


def source_of(resource: ManagedResource) -> str:
    """Return the package file of a resource; raise ResourceFailure if it has none."""
    if not resource["source"]:
        raise ResourceFailure("RPMs must specify a package source")
    return to_s(resource["source"])


def states_of(lines: Iterable[str]) -> dict[str, State]:
    """Return packages by name; a package in several versions has them all.

    >>> states_of(["a 0 1 2 noarch", "k 1 5 1 x86_64", "k 1 6 1 x86_64"])["k"]["ensure"]
    '1:5-1; 1:6-1'
    """
    found: dict[str, State] = {}
    for line in lines:
        match = LINE.fullmatch(line.strip())
        if match is None:
            continue
        name, epoch, version, release, arch = match.groups()
        shown = f"{version}-{release}" if epoch == "0" else f"{epoch}:{version}-{release}"
        if name not in found:
            found[name] = {
                "name": name,
                "ensure": shown,
                "version": version,
                "release": release,
                "arch": arch,
            }
        elif shown not in found[name]["ensure"]:
            found[name]["ensure"] += SEPARATOR + shown
    return found


provider = RpmFiles
