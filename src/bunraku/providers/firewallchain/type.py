"""The resource type ``firewallchain``: chains of ``iptables`` and ``ip6tables``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.providers.attributes import ABSENT, Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.firewall.generation import is_old
from bunraku.providers.firewallchain.names import BRIDGE, misfits, parse
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.providers.reading import inherited
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.typed_values import ENSURE, typed
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.regexp.regexp import regexp_from_string

Value = Any
NAME_TYPE = (
    r"Pattern[/^(?:\S+):(?:nat|mangle|filter|raw|rawpost|broute|security):"
    r"(?:IP(?:v[46])?|ethernet)$/]"
)
TYPES = {
    "name": NAME_TYPE,
    "policy": "Optional[Enum['accept', 'drop', 'queue', 'return']]",
    "purge": "Boolean",
    "ignore": "Optional[Variant[String[1], Array[String[1]]]]",
    "ignore_foreign": "Boolean",
}
"""Attribute → the type of its values since version 7 of the module."""
PACKAGES = ("iptables", "iptables-persistent", "iptables-services")
OLD_PROVIDERS = {"IPv4": "iptables", "IPv6": "ip6tables"}
FIRST_NUMBER = 9000
"""Rules that others added are numbered from here."""


def is_old_chain(resource: ManagedResource) -> bool:
    """Return whether a chain is managed as before version 7 of the module."""
    return resource.provider.name == "iptables_chain"


def checked_value(name: str, value: Value, resource: ManagedResource) -> Value:
    """Return a value of the type of an attribute; raise InvalidValue for any other."""
    whole = resource.original.get(name)
    whole = value if whole is None else whole
    typed(f"firewallchain.{name}", TYPES[name], whole)
    return value


def read_chain_name(value: Value, resource: ManagedResource) -> Value:
    """Check the name of a chain; old modules also check whether the table has the chain."""
    if not is_old_chain(resource):
        return checked_value("name", value, resource)
    name = parse(to_s(value))
    if name is None:
        raise InvalidValue(
            "Inbuilt chains must be in the form {chain}:{table}:{protocol} where {table} is one of "
            "filter, nat, mangle, raw, rawpost, broute, security or empty (alias for filter), chain "
            "can be anything without colons or one of PREROUTING, POSTROUTING, BROUTING, INPUT, "
            "FORWARD, OUTPUT for the inbuilt chains, and {protocol} being IPv4, IPv6, ethernet "
            f"(ethernet bridging) got '{value}' table:'' chain:'' protocol:''"
        )
    for problem in misfits(name):
        raise InvalidValue(problem)
    if name.chain == BRIDGE and (name.protocol, name.table) != ("ethernet", "broute"):
        raise InvalidValue(
            "BROUTING is the only inbuilt chain allowed on on table 'BROUTE' with protocol "
            "'ethernet' i.e. 'broute:BROUTING:enternet'"
        )
    return value


def read_policy(value: Value, resource: ManagedResource) -> Value:
    """Check a policy."""
    if not is_old_chain(resource):
        return checked_value("policy", value, resource)
    return Parameter("policy", words=("accept", "drop", "queue", "return")).word(value)


def default_policy(resource: ManagedResource) -> str | None:
    """Return the policy of chains on bridges, which old modules always set."""
    old = is_old_chain(resource) and resource.name.endswith(":ethernet")
    return "accept" if old else None


def read_switch(name: str) -> Any:
    """Return a reader of a Boolean."""

    def read(value: Value, resource: ManagedResource) -> Value:
        if not is_old_chain(resource):
            return checked_value(name, value, resource)
        return Parameter(name, words=("true", "false")).word(value) == "true"

    return read


def read_ignore(value: Value, resource: ManagedResource) -> Value:
    """Return regular expressions."""
    if not is_old_chain(resource):
        checked_value("ignore", value, resource)
    elif not isinstance(value, (list, str)) and value is not False:
        raise InvalidValue("Ignore must be a string or an Array")
    return value


class Presence(Ensure):
    """Whether the chain exists."""

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return the state; raise InvalidValue for another word."""
        if is_old_chain(resource):
            return super().accept(value, resource)
        typed("firewallchain.ensure", ENSURE, to_s(resource.original.get("ensure", value)))
        return value

    def accept_none(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for an empty array, which only old modules ignore."""
        if not is_old_chain(resource):
            self.accept([], resource)

    def described(self, resource: ManagedResource, current: Value, wanted: Value) -> str:
        """Return the message of a change, as any property has it since version 7."""
        if is_old_chain(resource):
            return super().described(resource, current, wanted)
        return Property.described(self, resource, current, wanted)


class Policy(Property):
    """The policy of a chain."""

    def accept_none(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for an empty array, which only old modules ignore."""
        if not is_old_chain(resource):
            checked_value("policy", [], resource)

    def described(self, resource: ManagedResource, current: Value, wanted: Value) -> str:
        """Return the message of a change; a chain of a table without rules has no policy yet."""
        if current is not None:
            return super().described(resource, current, wanted)
        return f"policy changed  to {self.shown_wanted(resource, wanted)}"


class FirewallChain(ResourceType):
    """Chains of the packet filter, and the removal of the rules in them that the catalog lacks."""

    name = "firewallchain"
    module = "puppetlabs-firewall 8.5"
    providers = ("firewallchain", "iptables_chain")
    attributes = (
        Presence(default="present", about="Whether the chain exists."),
        Parameter(
            "name",
            read_for=read_chain_name,
            about="The chain, its table and the protocol: `INPUT:filter:IPv4`.",
        ),
        Policy(
            "policy",
            read_for=read_policy,
            default=default_policy,
            about="What happens at the end of a chain of the kernel: `accept`, `drop`, `queue` or "
            "`return`.",
        ),
        Parameter(
            "purge",
            read_for=read_switch("purge"),
            default=False,
            about="Whether to remove the rules of the chain that are not in the catalog.",
        ),
        Parameter(
            "ignore",
            read_for=read_ignore,
            about="Regular expressions; `purge` keeps rules that one of them matches, in the form "
            "in which `iptables-save` prints them.",
        ),
        Parameter(
            "ignore_foreign",
            read_for=read_switch("ignore_foreign"),
            default=False,
            about="Whether `purge` keeps rules whose comment does not begin with a number.",
        ),
        Parameter("provider"),
    )

    def default_provider(self) -> Provider | None:
        """Return the provider of the generation of the module."""
        return self.provider_named("iptables_chain" if is_old(self.run) else "firewallchain")

    def shown_title(self, title: str, parameters: Mapping[str, Value]) -> str:
        """Return the name, which the module shows instead of the title since version 7."""
        name = parameters.get("name")
        return title if name is None else to_s(name)

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for values that exclude each other."""
        name = parse(resource.name)
        if name is None:
            return
        if name.protocol == "IP":
            raise InvalidValue("the protocol of a chain is IPv4, IPv6 or ethernet")
        if not is_old_chain(resource):
            if name.protocol == "ethernet":
                raise InvalidValue("iptables and ip6tables have no chains of bridges")
            return
        internal = name.is_built_in or name.chain == BRIDGE
        if internal and resource["ensure"] == ABSENT:
            raise InvalidValue("Cannot remove in-built chains")
        if not internal and resource["policy"] is not None and name.protocol != "ethernet":
            raise InvalidValue(
                "policy can only be set on in-built chains (with the exception of ethernet chains) "
                f"(table:{name.table} chain:{name.chain} protocol:{name.protocol})"
            )
        if name.table == "nat" and resource["policy"] == "drop":
            raise InvalidValue(
                'The "nat" table is not intended for filtering, the use of DROP is therefore '
                "inhibited"
            )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the packages that old modules require."""
        if is_old_chain(resource):
            for name in PACKAGES:
                yield "package", name

    def generate(self, resource: ManagedResource) -> list[ManagedResource]:
        """Return the rules of the chain that are to be removed."""
        resource.resolve_deferred()
        kind = self.run.resource_type("firewall")
        name = parse(resource.name)
        if not resource["purge"] or name is None or kind is None:
            return []
        found = []
        for title, provider, state in kind.instances():
            if self.spares(resource, title, provider, state):
                continue
            values = {**kind.purged_values(state), **inherited(resource)}
            values |= {"ensure": ABSENT, "provider": provider}
            rule = ManagedResource(kind, title, values, path=resource.containers)
            kind.provider_named(provider).take(rule, state)
            found.append(rule)
        return found

    def spares(self, resource: ManagedResource, title: str, provider: str, state: State) -> bool:
        """Return whether a rule is in another chain, or is to be kept."""
        name = parse(resource.name)
        assert name is not None
        old = is_old_chain(resource)
        same = (
            provider == OLD_PROVIDERS.get(name.protocol)
            if old
            else state["protocol"] == name.protocol
        )
        if not same or (state["chain"], state["table"]) != (name.chain, name.table):
            return True
        ignored = resource["ignore"] or []
        for pattern in ignored if isinstance(ignored, list) else [ignored]:
            if regexp_from_string(pattern).search(state["line"]) is not None:
                return True
        number = re.match(r"\d+", title)
        foreign = number is not None and int(number[0]) >= FIRST_NUMBER
        return bool(resource["ignore_foreign"]) and foreign


resource_type = FirewallChain
