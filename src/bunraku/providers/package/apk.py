"""Packages of Alpine Linux, by ``apk``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.provider import COMMON_FEATURES, PackageProvider, flags
from bunraku.providers.provider import State
from bunraku.providers.systems import families

APK = "apk"
WARNING = "WARNING"
DOWNLOAD = "fetch"
"""The begin of lines about the index of a repository."""


class Apk(PackageProvider):
    """Installs packages of the repositories; a wanted version is not passed to ``apk``."""

    name = "apk"
    programs: ClassVar[tuple[str, ...]] = (APK,)
    features: ClassVar[frozenset[str]] = COMMON_FEATURES | {"versionable", "install_options"}

    def suitable(self) -> bool:
        """Return whether the system is Alpine Linux."""
        return super().suitable() and "alpine" in families(self.host)

    # -- states ----------------------------------------------------------------------------------

    def listed(self, *options: str) -> list[str]:
        """Return the lines of ``apk info``, without warnings."""
        lines = self.execute(APK, "info", *options).output.splitlines()
        return [line for line in lines if not line.startswith(WARNING)]

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all packages; one list has the names, another one the versions, too."""
        pairs = zip(self.listed(), self.listed("-v"), strict=False)
        return {name: {"ensure": text.replace(f"{name}-", "")} for name, text in pairs}

    def surely_missing(self, resource: ManagedResource) -> bool:
        """Return whether no package has the name, in upper or lower case."""
        name = resource.name.lower()
        listed = any(one.lower() == name for one in self.states or ())
        return not listed and super().surely_missing(resource)

    def query(self, resource: ManagedResource) -> State | None:
        """Return the state of one package; upper and lower case are the same."""
        found = self.instances([resource])
        name = resource.name.lower()
        return next((state for one, state in found.items() if one.lower() == name), None)

    def latest(self, resource: ManagedResource) -> Any:
        """Return the newest version in the repositories."""
        lines = self.execute(APK, "info", resource.name, "--no-cache").output.splitlines()
        described = (line.split() for line in lines if not line.startswith(DOWNLOAD))
        first = next(filter(None, described), [""])[0]
        return first.replace(f"{resource.name}-", "")

    # -- changes ---------------------------------------------------------------------------------

    def add(self, resource: ManagedResource, *options: str) -> None:
        """Install or update a package."""
        given = flags(resource["install_options"])
        self.execute(APK, "add", *given, *options, resource.name)

    def install(self, resource: ManagedResource) -> None:
        """Install a package."""
        self.add(resource)

    def update(self, resource: ManagedResource) -> None:
        """Install the newest version of a package."""
        self.add(resource, "--update")

    def uninstall(self, resource: ManagedResource) -> None:
        """Remove a package."""
        self.execute(APK, "del", resource.name)


provider = Apk
