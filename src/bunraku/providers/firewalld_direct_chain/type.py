"""The resource type ``firewalld_direct_chain``."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import unmatched_title
from bunraku.providers.resource_type import Reference, ResourceType

PARTS_OF_TITLE = 3
"""A title may be ``PROTOCOL:TABLE:CHAIN``."""


def part_of_title(resource: ManagedResource, place: int) -> str | None:
    """Return a part of a title that has all parts; None for another title."""
    parts = resource.title.split(":")
    return parts[place] if len(parts) == PARTS_OF_TITLE and all(parts) else None


class FirewalldDirectChain(ResourceType):
    """Chains of iptables that firewalld makes."""

    name = "firewalld_direct_chain"
    module = "puppet-firewalld 5.1"
    named_by = ("inet_protocol", "name", "table")
    providers = ("firewall_cmd",)
    attributes = (
        Ensure(default="present", about="Whether the chain exists."),
        Parameter(
            "name",
            read_for=lambda value, resource: (
                value if resource.original.get("name") else part_of_title(resource, 2) or value
            ),
            about="The name of the chain; the title may be `PROTOCOL:TABLE:CHAIN`.",
        ),
        Parameter(
            "inet_protocol",
            words=("ipv4", "ipv6", "eb"),
            default=lambda resource: part_of_title(resource, 0) or "ipv4",
            about="The protocol.",
        ),
        Parameter("table", default=lambda resource: part_of_title(resource, 1), about="The table."),
        Parameter("provider"),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for a title with another number of parts."""
        if ":" in resource.title and part_of_title(resource, 0) is None:
            raise unmatched_title(resource.title)

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the service."""
        yield "service", "firewalld"


resource_type = FirewalldDirectChain
