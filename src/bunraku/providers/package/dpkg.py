"""Debian packages from files, by ``dpkg``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.provider import COMMON_FEATURES, PURGED, PackageProvider
from bunraku.providers.provider import State
from bunraku.providers.run import Run
from bunraku.types.ruby_semantics.values import to_s

DPKG = "/usr/bin/dpkg"
DPKG_DEB = "/usr/bin/dpkg-deb"
DPKG_QUERY = "/usr/bin/dpkg-query"
FORMAT = "${Status} ${Package} ${Version}\\n"
FORMAT_WITH_PROVIDED = "${Status} ${Package} ${Version} [${Provides}]\\n"
LINE = re.compile(r"(\S+) +(\S+) +(\S+) (\S+) (\S*)(?: \[.*\])?")
PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9+.-]+")
UNFINISHED = frozenset({"config-files", "half-installed", "unpacked", "half-configured"})
"""The states that count as absent."""
CONTENTS = re.compile(r"^(\S+)\t(\S+)$", re.MULTILINE)


class Dpkg(PackageProvider):
    """Installs the package file that ``source`` sets."""

    name = "dpkg"
    source = "dpkg"
    programs: ClassVar[tuple[str, ...]] = (DPKG, DPKG_DEB, DPKG_QUERY)
    features: ClassVar[frozenset[str]] = COMMON_FEATURES | {
        "purgeable",
        "holdable",
        "virtual_packages",
    }
    can_purge = True
    virtual_by_default = False

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.variables = {
            "DEBIAN_FRONTEND": "noninteractive",
            "APT_LISTBUGS_FRONTEND": "none",
            "APT_LISTCHANGES_FRONTEND": "none",
        }

    # -- states ----------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all packages in dpkg's database."""
        output = self.execute(DPKG_QUERY, "-W", "--showformat", FORMAT).output
        found: dict[str, State] = {}
        for line in output.splitlines():
            state = state_of(line)
            if state is not None:
                found[state["name"]] = state
        return found

    def surely_missing(self, resource: ManagedResource) -> bool:
        """Return whether a package is absent; False for a pattern or a name with an architecture."""
        plain = PLAIN_NAME.fullmatch(resource.name) is not None
        return plain and super().surely_missing(resource)

    def query(self, resource: ManagedResource) -> State | None:
        """Return the state of one package; the provider of a virtual package replaces it."""
        if resource.is_true("allow_virtual"):
            self.resolve_virtual(resource)
        done = self.attempt((DPKG_QUERY, "-W", "--showformat", FORMAT, resource.name))
        if done.code != 0:
            return None
        states = filter(None, map(state_of, done.output.splitlines()))
        state: State = next(states, {"ensure": ABSENT, "error": "ok"})
        if state["error"] != "ok":
            text = f"Package {state['name']}, version {state['ensure']} is in error state: "
            raise ResourceFailure(text + state["error"])
        return state

    def resolve_virtual(self, resource: ManagedResource) -> None:
        """Replace the name of a virtual package in a resource with that of its provider."""
        output = self.execute(DPKG_QUERY, "-W", "--showformat", FORMAT_WITH_PROVIDED).output
        provided = re.compile(rf"[\[ ]{re.escape(resource.name)}[\],]")
        line = next((line for line in output.splitlines() if provided.search(line)), None)
        state = None if line is None else state_of(line)
        if state is not None:
            name = state["name"]
            text = f"Package {resource.name} is virtual, defaulting to {name}"
            self.run.log("info", text)
            resource.name = name

    def latest(self, resource: ManagedResource) -> str | None:
        """Return the version of the package file."""
        if not resource["source"]:
            text = "Could not update: You cannot install dpkg packages without a source"
            raise ResourceFailure(text)
        found = CONTENTS.search(self.execute(DPKG_DEB, "--show", resource["source"]).output)
        if found is None:
            raise ResourceFailure(f"{to_s(resource['source'])} is not a package")
        if resource.name not in found[1]:
            self.run.log("warning", f"source doesn't contain named package, but {found[1]}")
        return found[2]

    # -- changes ---------------------------------------------------------------------------------

    def install(self, resource: ManagedResource) -> None:
        """Install the package file."""
        if not resource["source"]:
            text = "You cannot install dpkg packages without a source"
            if resource["ensure"] == "present":
                shown = f"Could not set 'present' on ensure: {text}"
                text = shown + location(resource)
            raise ResourceFailure(text)
        kept = "old" if resource["configfiles"] == "keep" else "new"
        self.install_by(resource, (DPKG, f"--force-conf{kept}", "-i", resource["source"]))

    def install_by(self, resource: ManagedResource, command: tuple[str, ...]) -> None:
        """Install a package with a command; release its hold first, and hold it again if wanted."""
        if self.state(resource).get("mark") == "hold":
            self.set_mark(resource, "none")
        try:
            self.execute(*command)
        finally:
            if resource["mark"] == "hold":
                self.set_mark(resource, "hold")

    def uninstall(self, resource: ManagedResource) -> None:
        """Remove a package."""
        self.execute(DPKG, "-r", resource.name)

    def purge(self, resource: ManagedResource) -> None:
        """Remove a package with its configuration files."""
        self.execute(DPKG, "--purge", resource.name)

    def set_mark(self, resource: ManagedResource, mark: str) -> None:
        """Hold a package, or release it."""
        selection = "hold" if mark == "hold" else "install"
        content = f"{resource.name} {selection}\n".encode()
        self.attempt((DPKG, "--set-selections"), merged=False, content=content)


def location(resource: ManagedResource) -> str:
    """Return the place of a resource as Puppet appends it to unexpected errors."""
    if resource.file and resource.line:
        return f" (file: {resource.file}, line: {resource.line})"
    return f" (line: {resource.line})" if resource.line else ""


def state_of(line: str) -> State | None:
    """Return the state of a package from a line of ``dpkg-query``; None for other lines.

    >>> (
    ...     state_of("hold ok installed bash 5.2-1")["ensure"],
    ...     state_of("deinstall ok config-files a 1")["ensure"],
    ... )
    ('5.2-1', 'absent')
    """
    found = LINE.fullmatch(line)
    if found is None:
        return None
    desired, error, status, name, version = found.groups()
    if status == "not-installed":
        version = PURGED
    elif status in UNFINISHED:
        version = ABSENT
    mark = "hold" if desired == "hold" else "none"
    return {"name": name, "ensure": version, "mark": mark, "error": error}


provider = Dpkg
