"""Rules as puppetlabs-firewall managed them before version 7: a provider for each protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.firewall.commands import old_arguments
from bunraku.providers.firewall.options import BY_NAME
from bunraku.providers.firewall.states import state_before_7
from bunraku.providers.iptables import FilterProvider, Saved, current_name, position, rule_words
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.run import Run

Value = Any
FEATURES = frozenset(
    {
        *("iptables", "condition", "connection_limiting", "conntrack", "rate_limiting"),
        *("recent_limiting", "snat", "dnat", "interface_match", "icmp_match", "owner"),
        *("state_match", "reject_type", "log_level", "log_prefix", "log_uid"),
        *("log_tcp_sequence", "log_tcp_options", "log_ip_options", "mark", "mss", "nflog_group"),
        *("nflog_prefix", "nflog_range", "nflog_threshold", "tcp_option", "tcp_flags"),
        *("pkttype", "socket", "address_type", "iprange", "ipsec_dir", "ipsec_policy", "mask"),
        *("ipset", "length", "string_matching", "queue_num", "queue_bypass", "ct_target"),
        *("random_fully", "rpfilter", "nflog_size"),
    }
)
"""The features of both providers with a recent iptables."""


class OldRules(FilterProvider):
    """Reads and changes the rules of a protocol."""

    protocol: ClassVar[str]

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.rules: dict[str, State] = {}
        self.read: Saved | None = None
        """What ``rules`` was made of."""
        self.altered: set[str] = set()
        """The names of rules with attributes that :meth:`flush` changes."""

    # -- reading ---------------------------------------------------------------------------------

    def all_rules(self) -> dict[str, State]:
        """Return the states of the rules by name; ResourceFailure for two rules of one name."""
        read = self.tables.saved(self.protocol)
        if read is not self.read:
            found: dict[str, State] = {}
            for state in self.states_of(read):
                if state["name"] in found:
                    text = f"Duplicate rule found for {state['name']}. Skipping update."
                    raise ResourceFailure(text)
                found[state["name"]] = state
            self.read, self.rules = read, found
        return self.rules

    def states_of(self, saved: Saved) -> Iterator[State]:
        """Yield the states of the rules that the provider understands."""
        counter = 1
        for rule in saved.rules:
            state = state_before_7(rule, self.name, counter)
            if state is None:
                text = f"Skipping unparsable iptables rule: {rule.line}"
                self.run.log("warning", text)
            else:
                counter += 1
                yield state

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read the rules."""
        super().prefetch(resources)
        self.all_rules()

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the states of all rules."""
        return dict(self.all_rules())

    def state(self, resource: ManagedResource) -> State:
        """Return the state of a rule; empty if it is absent."""
        if self.states is not None and resource.name in self.states:
            return self.states[resource.name]
        return self.all_rules().get(current_name(resource.name, self.all_rules()), {})

    def get(self, resource: ManagedResource, name: str) -> Value:
        """Return the state of a property, None if the rule does not have it."""
        return self.state(resource).get(name)

    # -- changing --------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Insert the rule at its place."""
        self.write(resource, "-I")

    def destroy(self, resource: ManagedResource) -> None:
        """Delete the rule by its own words; it may be gone already."""
        state = self.state(resource)
        words = [word.text for word in rule_words(state["line"])]
        words[0] = "-D"
        command = ["-t", state["table"], *words]
        try:
            self.tables.change(self.protocol, command)
        except ResourceFailure:
            self.run.log("debug", f"The rule {resource.name} is gone already")

    def set(self, resource: ManagedResource, name: str, value: Value) -> None:
        """Leave the change to :meth:`flush`; ResourceFailure for another chain."""
        if name == "chain":
            raise ResourceFailure("Modifying the chain for existing rules is not supported.")
        self.altered.add(resource.name)

    def flush(self, resource: ManagedResource) -> None:
        """Replace a rule whose attributes changed, and save the rules."""
        if resource.name in self.altered:
            self.altered.discard(resource.name)
            resource.log("notice", "Properties changed - updating rule")
            self.write(resource, "-R")
        self.tables.persist(self.protocol, old=True)

    def write(self, resource: ManagedResource, action: str) -> None:
        """Insert or replace a rule."""
        values = {name: resource[name] for name in resource.values if name in BY_NAME}
        values["name"] = resource.name
        if resource["action"] is not None:
            values["jump"] = resource["action"].upper()
        check_negations(values)
        table, chain = resource["table"], resource["chain"]
        names = [
            name
            for name, state in self.all_rules().items()
            if (state["chain"], state["table"]) == (chain, table)
        ]
        place = str(position(resource.name, names))
        words = old_arguments(in_options(values), self.protocol)
        self.tables.change(self.protocol, [action, chain, place, "--wait", "-t", table, *words])


def check_negations(values: Mapping[str, Value]) -> None:
    """Raise ResourceFailure for arrays in which only some of the values are negated."""
    for name, value in values.items():
        if not isinstance(value, list) or name in ("ipset", "dst_type", "src_type"):
            continue
        wrong = [f"'{one}'" for one in value if not str(one).startswith("! ")]
        if wrong and len(wrong) < len(value):
            raise ResourceFailure(
                f"All values of the '{name}' property must be prefixed with a '!' when inverting, "
                f"but {', '.join(wrong)} {'are' if len(wrong) > 1 else 'is'} not prefixed; aborting"
            )
    for name in ("dst_type", "src_type"):
        kinds = [one.split(" --limit-iface")[0] for one in values.get(name) or []]
        if len(set(kinds)) != len(kinds):
            raise ResourceFailure(f"{name} elements must be unique")


def in_options(values: State) -> State:
    """Return values with colons in ranges of ports."""
    ports = ("sport", "dport", "port")
    return {
        name: [one.replace("-", ":") for one in value] if name in ports else value
        for name, value in values.items()
    }
