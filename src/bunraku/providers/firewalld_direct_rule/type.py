"""The resource type ``firewalld_direct_rule``."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import Reference, ResourceType


class FirewalldDirectRule(ResourceType):
    """Rules of iptables that firewalld passes on."""

    name = "firewalld_direct_rule"
    module = "puppet-firewalld 5.1"
    providers = ("firewall_cmd",)
    attributes = (
        Ensure(default="present", about="Whether the rule exists."),
        Parameter("name", about="A name of the resource."),
        Parameter(
            "inet_protocol", words=("ipv4", "ipv6", "eb"), default="ipv4", about="The protocol."
        ),
        Parameter("table", about="The table."),
        Parameter("chain", about="The chain."),
        Parameter("priority", about="The place in the order."),
        Parameter("args", about="The arguments of iptables."),
        Parameter("provider"),
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the service."""
        yield "service", "firewalld"


resource_type = FirewalldDirectRule
