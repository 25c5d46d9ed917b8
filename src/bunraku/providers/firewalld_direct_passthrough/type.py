"""The resource type ``firewalld_direct_passthrough``."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import Reference, ResourceType


class FirewalldDirectPassthrough(ResourceType):
    """Commands of iptables that firewalld passes on as they are."""

    name = "firewalld_direct_passthrough"
    module = "puppet-firewalld 5.1"
    namevar = "args"
    providers = ("firewall_cmd",)
    attributes = (
        Ensure(default="present", about="Whether firewalld passes the command on."),
        Parameter("args", about="The arguments of iptables."),
        Parameter(
            "inet_protocol", words=("ipv4", "ipv6", "eb"), default="ipv4", about="The protocol."
        ),
        Parameter("provider"),
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the service."""
        yield "service", "firewalld"


resource_type = FirewalldDirectPassthrough
