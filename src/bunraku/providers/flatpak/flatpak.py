"""Applications and runtimes that ``flatpak`` installs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.types.ruby_semantics.values import to_s

FLATPAK = "/usr/bin/flatpak"


class Applications(Provider):
    """Asks for each application by itself, as the module does. Flatpak may be installed during the run."""

    name = "flatpak"
    programs: ClassVar[tuple[str, ...]] = (FLATPAK,)

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: an application is looked up when it is compared."""

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the application is installed."""
        return self.attempt((FLATPAK, "info", reference(resource))).code == 0

    def create(self, resource: ManagedResource) -> None:
        """Install the application from its remote."""
        words = ("install", "--assumeyes", resource["remote"], reference(resource))
        self.execute(FLATPAK, *words)

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the application."""
        self.execute(FLATPAK, "uninstall", "--assumeyes", reference(resource))


def reference(resource: ManagedResource) -> str:
    """Return the reference of an application: ``NAME/ARCHITECTURE/BRANCH``, whose parts may be empty."""
    if resource["ref"] is not None:
        return to_s(resource["ref"])
    return "/".join(map(to_s, (resource.name, resource["arch"], resource["branch"])))


provider = Applications
