"""The resource type ``firewalld_zone``."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.firewalld import Elements, Purge
from bunraku.providers.firewalld_places import Places, check_name
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import Reference, ResourceType

SET = "ipset:"


class FirewalldZone(ResourceType):
    """Zones of firewalld, and the removal of rules, services and ports that the catalog lacks."""

    name = "firewalld_zone"
    module = "puppet-firewalld 5.1"
    providers = ("firewall_cmd",)
    attributes = (
        Ensure(default="present", about="Whether the zone exists."),
        Property("target", about="What happens to packets that no rule accepts or rejects."),
        Elements("interfaces", about="The interfaces of the zone."),
        Property("masquerade", words=("true", "false"), about="Whether addresses are masked."),
        Elements("sources", bare=True, about="The source addresses of the zone."),
        Elements("protocols", bare=True, about="The protocols that the zone lets in."),
        Elements("icmp_blocks", about="The types of ICMP messages that the zone blocks."),
        Property(
            "icmp_block_inversion",
            words=("true", "false"),
            default="false",
            about="Whether only the types in `icmp_blocks` pass.",
        ),
        Purge("purge_rich_rules", about="Whether to remove rich rules that the catalog lacks."),
        Purge("purge_services", about="Whether to remove services that the catalog lacks."),
        Purge("purge_ports", about="Whether to remove ports that the catalog lacks."),
        Parameter("name", about="The name of the zone, at most 17 characters."),
        Parameter("zone", about="The name of the zone, for checks only."),
        Parameter("description", about="A description for a new zone."),
        Parameter("short", about="A short description for a new zone."),
        Parameter("provider"),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for a name that is too long."""
        check_name(resource, "zone")

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the service and the sets of addresses."""
        yield "service", "firewalld"
        for source in resource["sources"] or []:
            if str(source).startswith(SET):
                yield "firewalld_ipset", str(source).removeprefix(SET)

    def generate(self, resource: ManagedResource) -> list[ManagedResource]:
        """Remove what the catalog lacks; no resource is added."""
        resource.resolve_deferred()
        assert isinstance(resource.provider, Places)
        resource.provider.purge(resource)
        return []


resource_type = FirewalldZone
