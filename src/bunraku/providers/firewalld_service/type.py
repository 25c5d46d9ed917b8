"""The resource type ``firewalld_service``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.firewalld import check_place, place_parameters, required_place
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.types.ruby_semantics.values import to_s


class FirewalldService(ResourceType):
    """Services that zones and policies of firewalld let in."""

    name = "firewalld_service"
    module = "puppet-firewalld 5.1"
    providers = ("firewall_cmd",)
    attributes = (
        Ensure(default="present", about="Whether the zone or policy has the service."),
        Parameter("name", about="A name of the resource."),
        Parameter(
            "service", default=lambda resource: resource.name, about="The name of the service."
        ),
        *place_parameters("service"),
        Parameter("provider"),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue unless the resource sets either a zone or a policy."""
        check_place(resource)

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the zone or the policy, the service firewalld, and the definition of the service."""
        yield from required_place(resource)
        service = re.sub(r"[^\w-]", "_", to_s(resource["service"]), flags=re.ASCII)
        yield "firewalld_custom_service", service


resource_type = FirewalldService
