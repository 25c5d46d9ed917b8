"""The resource type ``firewalld_rich_rule``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.errors import InvalidValue
from bunraku.providers.firewalld import check_place, place_parameters, required_place
from bunraku.providers.firewalld_rich_rule.text import ELEMENTS
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import munging
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.types.ruby_semantics.values import inspect, to_s

Value = Any
ACTIONS = ("accept", "drop", "reject", "mark")
PRIORITIES = range(-32_768, 32_768)


def read_address(name: str) -> Any:
    """Return a reader of an address: a text, or a hash with further options."""

    def read(value: Value) -> Value:
        if isinstance(value, str):
            return {"address": value}
        if not isinstance(value, dict):
            raise munging(name, value, "expected an address or a hash")
        if "address" in value and "ipset" in value:
            raise munging(name, value, "Only one source type address or ipset may be specified.")
        return value

    return read


def read_priority(value: Value) -> str:
    """Check a priority."""
    if re.fullmatch(r"0|-?[1-9]\d*", to_s(value)) is None or int(value) not in PRIORITIES:
        raise InvalidValue("Priority must be between -32768 and 32767")
    return to_s(value)


def read_action(value: Value) -> Value:
    """Check an action: a word, or a hash with the type of the rejection."""
    if isinstance(value, dict) and sorted(value) != ["action", "type"]:
        raise InvalidValue(
            "Rule action hash should contain `action` and `type` keys. Use a string if you only "
            f"want to declare the action to be `accept` or `reject`. Got {inspect(value)}"
        )
    word = value["action"] if isinstance(value, dict) else value
    if isinstance(value, str | dict) and word not in ACTIONS:
        raise InvalidValue(
            "Authorized action values are `accept`, `reject`, `drop` or `mark`, got " + to_s(word)
        )
    return value


class FirewalldRichRule(ResourceType):
    """Rich rules of zones and policies of firewalld."""

    name = "firewalld_rich_rule"
    module = "puppet-firewalld 5.1"
    providers = ("firewall_cmd",)
    attributes = (
        Ensure(default="present", about="Whether the rule exists."),
        Parameter("name", about="A name of the resource."),
        *place_parameters("rule"),
        Parameter(
            "family", words=("ipv4", "ipv6", "eb"), default="ipv4", about="The family of addresses."
        ),
        Parameter("priority", read=read_priority, about="The place in the order."),
        Parameter(
            "source",
            read=read_address("source"),
            about="The source: an address, or a hash with `address` or `ipset`, and `invert`.",
        ),
        Parameter("dest", read=read_address("dest"), about="The destination, as `source`."),
        Parameter("service", about="The name of a service."),
        Parameter("port", about="A hash with `port` and `protocol`."),
        Parameter("protocol", about="A protocol."),
        Parameter("icmp_block", about="A type of ICMP messages that is blocked."),
        Parameter("icmp_type", about="A type of ICMP messages."),
        Parameter("masquerade", about="Whether addresses are masked."),
        Parameter("forward_port", about="A hash with `port`, `protocol`, `to_port` and `to_addr`."),
        Parameter("log", about="Whether to log, or a hash with `prefix`, `level` and `limit`."),
        Parameter("action", read=read_action, about="The action, or a hash with `type`, too."),
        Parameter("raw_rule", about="The whole rule in the language of firewalld."),
        Parameter("provider"),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for several elements, and unless a zone or a policy is set."""
        if sum(bool(resource[name]) for name in ELEMENTS) > 1:
            raise InvalidValue(f"Only one element ({','.join(ELEMENTS)}) may be specified.")
        check_place(resource)

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the zone or the policy, sets of addresses, the service, and its definition."""
        yield from required_place(resource)
        for name in ("source", "dest"):
            address = resource[name]
            if address is not None and address.get("ipset"):
                yield "firewalld_ipset", str(address["ipset"])
        if resource["service"]:
            service = re.sub(r"[^\w-]", "_", to_s(resource["service"]), flags=re.ASCII)
            yield "firewalld_custom_service", service


resource_type = FirewalldRichRule
