"""The resource type ``firewalld_policy``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import ABSENT, Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.firewalld import Elements, Purge
from bunraku.providers.firewalld_places import Places, check_name
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import ruby_integer
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.types.ruby_semantics.values import to_s

Value = Any
SYMBOLIC = frozenset({"HOST", "ANY"})
"""The words that stand for the machine and for all zones."""


def read_priority(value: Value) -> str:
    """Check a priority."""
    try:
        number = ruby_integer(value)
    except InvalidValue:
        raise InvalidValue("parameter priority must be a non zero integer") from None
    if number == 0:
        raise InvalidValue("parameter priority must be non zero")
    return to_s(value)


class FirewalldPolicy(ResourceType):
    """Policies of firewalld: rules for what passes from zones to zones."""

    name = "firewalld_policy"
    module = "puppet-firewalld 5.1"
    providers = ("firewall_cmd",)
    attributes = (
        Ensure(default="present", about="Whether the policy exists."),
        Property("target", about="What happens to packets that no rule accepts or rejects."),
        Elements("ingress_zones", about="The zones from which packets come."),
        Elements("egress_zones", about="The zones to which packets go."),
        Property("priority", read=read_priority, default="-1", about="The place in the order."),
        Property("masquerade", words=("true", "false"), about="Whether addresses are masked."),
        Elements("icmp_blocks", about="The types of ICMP messages that the policy blocks."),
        Purge("purge_rich_rules", about="Whether to remove rich rules that the catalog lacks."),
        Purge("purge_services", about="Whether to remove services that the catalog lacks."),
        Purge("purge_ports", about="Whether to remove ports that the catalog lacks."),
        Parameter("name", about="The name of the policy, at most 17 characters."),
        Parameter("policy", about="The name of the policy, for checks only."),
        Parameter("description", about="A description for a new policy."),
        Parameter("short", about="A short description for a new policy."),
        Parameter("provider"),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for a long name and for lists of zones that firewalld refuses."""
        check_name(resource, "policy")
        for name in ("ingress_zones", "egress_zones"):
            zones = resource[name]
            if zones is None and resource["ensure"] == ABSENT:
                continue
            if zones is None or not all(isinstance(zone, str) for zone in zones):
                raise InvalidValue(f"parameter {name} must be an array of strings!")
            if not zones:
                raise InvalidValue(f"parameter {name} must contain at least one zone!")
            if len(zones) > 1 and not SYMBOLIC.isdisjoint(zones):
                raise InvalidValue(
                    f"parameter {name} must contain a single symbolic zone or one or more "
                    "regular zones"
                )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the service and the zones."""
        yield "service", "firewalld"
        for name in ("ingress_zones", "egress_zones"):
            for zone in resource[name] or []:
                yield "firewalld_zone", zone

    def generate(self, resource: ManagedResource) -> list[ManagedResource]:
        """Remove what the catalog lacks; no resource is added."""
        resource.resolve_deferred()
        assert isinstance(resource.provider, Places)
        resource.provider.purge(resource)
        return []


resource_type = FirewalldPolicy
