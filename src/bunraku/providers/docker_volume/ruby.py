"""Volumes of Docker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.docker_program import DockerProvider, flags_of
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State


class Volumes(DockerProvider):
    """Reads all volumes at once."""

    kind = "volume"

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the volumes."""
        return {
            one["Name"]: {
                "ensure": "present",
                "driver": one["Driver"],
                "mountpoint": one["Mountpoint"],
            }
            for one in self.objects()
        }

    def create(self, resource: ManagedResource) -> None:
        """Create a volume with the flags of the attributes."""
        self.create_with(resource, flags_of(resource, ("driver", "options")))

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Do nothing, as in the module: a volume cannot get another driver."""


provider = Volumes
