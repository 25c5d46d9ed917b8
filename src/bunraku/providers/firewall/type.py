"""The resource type ``firewall``: rules of ``iptables`` and ``ip6tables``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.providers.attributes import ABSENT, Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.firewall import value_types
from bunraku.providers.firewall.comparison import is_as_wanted
from bunraku.providers.firewall.descriptions import ABOUT
from bunraku.providers.firewall.features import FEATURE_OF
from bunraku.providers.firewall.generation import is_old
from bunraku.providers.firewall.old_checks import check
from bunraku.providers.firewall.old_rules import OldRules
from bunraku.providers.firewall.old_values import old_value
from bunraku.providers.firewall.options import BEFORE_7, OPTIONS, SINCE_7
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.typed_values import ENSURE, typed
from bunraku.types.ruby_semantics.values import inspect, to_s

Value = Any
LISTS = frozenset(
    {
        *("sport", "dport", "port", "dst_type", "src_type", "state", "ctstate", "ctstatus"),
        *("rpfilter", "ipset"),
    }
)
"""The attributes that have several values at once."""
SORTED = ("state", "ctstate", "ctstatus")
OWNERS = frozenset({"uid", "gid"})
SHOWN_AS_TEXT = frozenset({"sport", "dport", "port", "state", "ctstate", "ctstatus"})
OLD_NAME = re.compile(r"\d+[!-~\s]+")
PACKAGES = ("iptables", "iptables-persistent", "iptables-services")
SERVICES = ("firewalld", "iptables", "ip6tables", "iptables-persistent", "netfilter-persistent")
SAVED = ("/etc/sysconfig/iptables", "/etc/sysconfig/ip6tables")
MAIN_CHAINS = frozenset({"INPUT", "OUTPUT", "FORWARD"})


def is_managed_as_old(resource: ManagedResource) -> bool:
    """Return whether a resource is managed as before version 7 of the module."""
    return isinstance(resource.provider, OldRules)


def read_rule_name(value: Value, resource: ManagedResource) -> Value:
    """Check the name of a rule: a number and words."""
    if not is_managed_as_old(resource):
        return typed("firewall.name", value_types.NAME, value)
    if OLD_NAME.fullmatch(to_s(value)) is None:
        shown = r"/^\d+[[:graph:][:space:]]+$/"
        raise InvalidValue(f"Invalid value {inspect(value)}. Valid values match {shown}.")
    return value


class Presence(Ensure):
    """Whether the rule exists."""

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return the state; raise InvalidValue for another word."""
        if is_managed_as_old(resource):
            return super().accept(value, resource)
        typed("firewall.ensure", ENSURE, to_s(resource.original.get("ensure", value)))
        return value

    def accept_none(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for an empty array, which only old modules ignore."""
        if not is_managed_as_old(resource):
            self.accept([], resource)

    def described(self, resource: ManagedResource, current: Value, wanted: Value) -> str:
        """Return the message of a change, as any property has it since version 7."""
        if is_managed_as_old(resource):
            return super().described(resource, current, wanted)
        return Property.described(self, resource, current, wanted)


class RuleProperty(Property):
    """An attribute of a rule, with the values of both generations of the module."""

    def __init__(self, name: str, type_: str | None, *, default: Value = None, about: str) -> None:
        super().__init__(
            name,
            many=name in LISTS,
            default=default,
            feature=FEATURE_OF.get(name),
            about=about,
        )
        self.type = type_

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return the internal form of a value; raise InvalidValue if it is not accepted."""
        old = is_managed_as_old(resource)
        if self.name in (SINCE_7 if old else BEFORE_7):
            raise InvalidValue(f"no parameter named '{self.name}'")
        if old:
            return old_value(self.name, value, resource)
        whole = resource.original.get(self.name)
        assert self.type is not None
        typed(f"firewall.{self.name}", self.type, value if whole is None else whole)
        return value

    def accept_none(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for an empty array, which only old modules ignore."""
        if not is_managed_as_old(resource):
            self.accept([], resource)

    def wanted(self, resource: ManagedResource, current: Value) -> Value:
        """Return the wanted state; Booleans become words."""
        value = self.written(resource)
        return str(value).lower() if isinstance(value, bool) else value

    def written(self, resource: ManagedResource) -> Value:
        """Return the wanted state; since version 7 it is the value as it is written."""
        if is_managed_as_old(resource):
            return resource[self.name]
        whole = resource.original.get(self.name)
        accepted = resource.accepted(self.name)
        return whole if whole is not None else accepted[0] if accepted else None

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the current state is the wanted one."""
        wanted = self.written(resource)
        if wanted is None:
            return True
        if not is_managed_as_old(resource):
            protocol = resource.provider.get(resource, "protocol") or "IPv4"
            return is_as_wanted(resource.run, self.name, current, wanted, protocol)
        if self.name in OWNERS:
            return is_as_wanted(resource.run, self.name, current, wanted, "IPv4")
        if self.name == "rpfilter":
            return set(current or []) == set(wanted)
        return super().in_sync(resource, current)

    def described(self, resource: ManagedResource, current: Value, wanted: Value) -> str:
        """Return the message of a change; a state that the rule lacks is shown as nothing."""
        if current is not None:
            return super().described(resource, current, wanted)
        return f"{self.name} changed  to {self.shown_wanted(resource, wanted)}"

    def shown(self, resource: ManagedResource, value: Value) -> str:
        """Format a state for messages."""
        return "" if value is None else super().shown(resource, value)

    def shown_wanted(self, resource: ManagedResource, value: Value) -> str:
        """Format a wanted state for messages; old modules show lists without brackets."""
        if is_managed_as_old(resource) and self.name in SHOWN_AS_TEXT:
            return ",".join(value)
        if is_managed_as_old(resource) and self.name == "ipset":
            return ", ".join(value)
        return self.shown(resource, value)


class FirewallRule(ResourceType):
    """Rules of the packet filter. Their names begin with a number, which sorts them.

    The attributes are those of puppetlabs-firewall 7 and later. Those of older versions are accepted
    where the module on the machine is an old one or, without a module, where a resource of the
    catalog sets `action`, `port`, or the provider `iptables` or `ip6tables`.
    """

    name = "firewall"
    module = "puppetlabs-firewall 8.5"
    providers = ("firewall", "iptables", "ip6tables")
    attributes = (
        Presence(default="present", about="Whether the rule exists."),
        Parameter(
            "name",
            read_for=read_rule_name,
            about="The name: a number, which determines the place in the chain, and words.",
        ),
        Parameter("provider"),
        RuleProperty(
            "protocol",
            value_types.PROTOCOL,
            default=lambda resource: None if is_managed_as_old(resource) else "IPv4",
            about="`IPv4` or `IPv6`; modules before 7 have the providers `iptables` and "
            "`ip6tables` instead.",
        ),
        RuleProperty("table", value_types.TABLE, default="filter", about="The table."),
        RuleProperty("chain", value_types.CHAIN, default="INPUT", about="The chain."),
        RuleProperty(
            "action",
            None,
            about="What happens to packets: `accept`, `reject` or `drop` (modules before 7).",
        ),
        *(
            RuleProperty(
                option.name,
                option.type,
                default="tcp" if option.name == "proto" else None,
                about=ABOUT[option.name],
            )
            for option in OPTIONS
            if option.name != "name"
        ),
    )

    def default_provider(self) -> Provider | None:
        """Return the provider of the generation of the module."""
        return self.provider_named("iptables" if is_old(self.run) else "firewall")

    def shown_title(self, title: str, parameters: Mapping[str, Value]) -> str:
        """Return the name, which the module shows instead of the title since version 7."""
        name = parameters.get("name")
        return title if name is None else to_s(name)

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for values that exclude each other, and sort the states."""
        if not is_managed_as_old(resource):
            return
        for name in SORTED:
            if name in resource:
                resource.values[name].sort()
        check(resource)

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the chains, packages and services that old modules require."""
        if not is_managed_as_old(resource):
            return
        protocol = "IPv6" if resource.provider.name == "ip6tables" else "IPv4"
        table = resource["table"]
        for chain in (resource["chain"], resource["jump"]):
            if chain is not None and not (chain in MAIN_CHAINS and table == "filter"):
                yield "firewallchain", f"{chain}:{table}:{protocol}"
        for name in PACKAGES:
            yield "package", name
        for name in SERVICES:
            yield "service", name

    def precedes(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the files of saved rules, whose attributes old modules set after the rules."""
        if is_managed_as_old(resource):
            for path in SAVED:
                yield "file", path

    def purged_values(self, state: State) -> dict[str, Value]:
        """Return the protocol of a rule that is to be removed."""
        return {"protocol": state["protocol"]} if "protocol" in state else {}

    def instances(self) -> Iterator[tuple[str, str, State]]:
        """Yield the rules, by the providers of the generation of the module."""
        names = ("iptables", "ip6tables") if is_old(self.run) else ("firewall",)
        seen = set()
        for name in names:
            for title, state in self.provider_named(name).instances(None).items():
                if title not in seen and state.get("ensure") != ABSENT:
                    seen.add(title)
                    yield title, name, state


resource_type = FirewallRule
