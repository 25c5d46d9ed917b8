"""The resource type ``firewalld_port``."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.firewalld import check_place, place_parameters, required_place
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import text
from bunraku.providers.resource_type import Reference, ResourceType


class FirewalldPort(ResourceType):
    """Open ports of zones and policies of firewalld."""

    name = "firewalld_port"
    module = "puppet-firewalld 5.1"
    providers = ("firewall_cmd",)
    attributes = (
        Ensure(default="present", about="Whether the port is open."),
        Parameter("name", about="A name of the resource."),
        *place_parameters("port"),
        Parameter(
            "port",
            read=text,
            default=lambda resource: resource.name,
            about="A port or a range of ports.",
        ),
        Parameter("protocol", about="The protocol, such as `tcp`."),
        Parameter("provider"),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue unless the resource sets either a zone or a policy."""
        check_place(resource)

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the zone or the policy, and the service."""
        yield from required_place(resource)


resource_type = FirewalldPort
