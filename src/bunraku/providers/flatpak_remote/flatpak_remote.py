"""The remotes of ``flatpak``, from which it installs applications."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from bunraku.providers.flatpak.flatpak import FLATPAK
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.values.ruby_semantics.collections import truthy


class Remotes(Provider):
    """Adds and removes remotes. As in the module, an existing one keeps its location."""

    name = "flatpak_remote"
    programs: ClassVar[tuple[str, ...]] = (FLATPAK,)

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: remotes are read when one is compared."""

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether ``flatpak`` lists the remote."""
        lines = self.execute(FLATPAK, "remotes").output.split("\n")
        return any(
            line.startswith(resource.name) and line[len(resource.name) :][:1].isspace()
            for line in lines
        )

    def create(self, resource: ManagedResource) -> None:
        """Add the remote, by its location or by a file that describes it."""
        resource.refuse_private_arguments("flatpak", "location")
        by_file = ("--from",) if truthy(resource["from"]) else ()
        self.execute(FLATPAK, "remote-add", *by_file, resource.name, resource["location"])

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the remote."""
        self.execute(FLATPAK, "remote-delete", resource.name)


provider = Remotes
