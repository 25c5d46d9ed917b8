"""Packages of FreeBSD, by ``pkg``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import urlsplit

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.provider import (
    COMMON_FEATURES,
    PackageProvider,
    flags,
    version_of,
)
from bunraku.providers.provider import State
from bunraku.providers.systems import FREEBSD, families

PKG = "/usr/local/sbin/pkg"
FORMAT = "%n %v %o"
REPOSITORY = "freebsd:repo:"
"""The begin of the name of a repository in a ``urn``."""


class Pkgng(PackageProvider):
    """Installs packages of the repositories, or from the address that ``source`` sets."""

    name = "pkgng"
    programs: ClassVar[tuple[str, ...]] = (PKG,)
    features: ClassVar[frozenset[str]] = COMMON_FEATURES | {"versionable", "install_options"}

    def suitable(self) -> bool:
        """Return whether the system is FreeBSD or DragonFly."""
        return super().suitable() and not FREEBSD.isdisjoint(families(self.host))

    # -- states ----------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all packages."""
        listed = self.attempt((PKG, "query", "-a", FORMAT))
        found = states_of(listed.output.splitlines()) if listed.code == 0 else []
        return {state["name"]: state for state in found}

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read all packages; resources find them by name and by origin."""
        super().prefetch(resources)
        found = self.states or {}
        self.states = {state["origin"]: state for state in found.values()} | found

    def query(self, resource: ManagedResource) -> State | None:
        """Return the state of one package; None if it is not installed."""
        done = self.attempt((PKG, "query", FORMAT, resource.name))
        found = states_of(done.output.splitlines()) if done.code == 0 else []
        return found[0] if found else None

    def latest(self, resource: ManagedResource) -> Any:
        """Return the newest version in the repositories; the current one if they have none."""
        state = self.state(resource)
        return self.newer().get(state.get("origin", ""), state["ensure"])

    def newer(self) -> dict[str, str]:
        """Return the versions of the packages that are not up to date, by origin."""
        found: dict[str, str] = {}
        for line in self.execute(PKG, "version", "-voRL=").output.splitlines():
            origin, sign, *rest = line.split(" ", 2)
            if sign not in ("!", "?") and rest and rest[0].split():
                found.setdefault(origin, rest[0].split()[-1].split(")")[0])
        return found

    # -- changes ---------------------------------------------------------------------------------

    def install(self, resource: ManagedResource) -> None:
        """Install a package, in the wanted version if there is one."""
        version, source = version_of(resource), resource["source"]
        package = resource.name
        if version is not None:
            package = f"{package.split('/')[1] if '/' in package else package}-{version}"
        words = ["install", "-qy"]
        parts = urlsplit(str(source or ""))
        if source and parts.scheme == "urn":
            repository = parts.path.removeprefix(REPOSITORY)
            if repository == parts.path or not repository:
                raise ResourceFailure(f"{source} does not name a repository of FreeBSD")
            words += ["-r", repository]
        elif source:
            words, package = ["add", "-q"], str(source)
        self.execute(PKG, *words, *flags(resource["install_options"]), package)

    def uninstall(self, resource: ManagedResource) -> None:
        """Remove a package."""
        self.execute(PKG, "remove", "-qy", resource.name)


def states_of(lines: Iterable[str]) -> list[State]:
    """Return the packages in the output of ``pkg query``.

    >>> states_of(["vim 9.0 editors/vim"])
    [{'name': 'vim', 'ensure': '9.0', 'origin': 'editors/vim'}]
    """
    rows = (line.split(" ", 2) for line in lines if line.strip())
    return [{"name": name, "ensure": version, "origin": origin} for name, version, origin in rows]


provider = Pkgng
