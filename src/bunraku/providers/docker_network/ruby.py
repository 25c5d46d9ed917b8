"""Networks of Docker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.attributes import ABSENT
from bunraku.providers.docker_program import DockerProvider, flags_of
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State

FLAGS = ("driver", "subnet", "gateway", "ip_range", "ipam_driver", "aux_address", "options")


class Networks(DockerProvider):
    """Reads all networks at once."""

    kind = "network"

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the networks."""
        return {one["Name"]: network_state(one) for one in self.objects()}

    def create(self, resource: ManagedResource) -> None:
        """Create a network with the flags of the attributes."""
        more = resource["additional_flags"]
        words = more.split() if isinstance(more, str) else more or []
        self.create_with(resource, [*flags_of(resource, FLAGS), *words])

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Do nothing: the flush of a network that existed before fails, as in the module."""

    def flush(self, resource: ManagedResource) -> None:
        """Fail for a network that existed before."""
        if self.state(resource):
            raise ResourceFailure("Docker network does not support mutating existing networks")


def network_state(network: dict[str, Any]) -> State:
    """Return the state of a network that ``docker network inspect`` shows."""
    return {
        "ensure": "present",
        "id": network["Id"],
        "driver": network["Driver"],
        "ipam_driver": (network.get("IPAM") or {}).get("Driver") or ABSENT,
    }


provider = Networks
