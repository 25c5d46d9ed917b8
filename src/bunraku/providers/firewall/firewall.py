"""Rules as puppetlabs-firewall manages them since version 7: one provider for both protocols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.firewall.checks import check
from bunraku.providers.firewall.commands import NEW_OPTIONS, rule_arguments
from bunraku.providers.firewall.states import names_since_7, state_since_7
from bunraku.providers.firewall.values import (
    address,
    full_time,
    icmp_number,
    level_number,
    mark,
)
from bunraku.providers.iptables import (
    IP_PROTOCOLS,
    Saved,
    SavedRule,
    TablesProvider,
    current_name,
    position,
    rule_words,
)
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.run import Run

Value = Any
PROTOCOLS = {"iptables": "IPv4", "ip6tables": "IPv6"}
"""Other names of the protocols."""
UPPER = frozenset(
    {
        *("accept", "reject", "drop", "queue", "return", "dnat", "snat", "log", "nflog"),
        *("netmp", "masquerade", "redirect", "mark", "ct"),
    }
)
"""The targets that are written in capital letters; ``netmp`` is the module's."""


class Rules(TablesProvider):
    """Reads and changes the rules of both protocols."""

    name = "firewall"

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.rules: dict[str, SavedRule] = {}
        self.read: tuple[Saved, ...] = ()
        """What ``rules`` was made of."""

    def supports(self, feature: str) -> bool:
        """Return True: only the old providers lack features."""
        return True

    # -- reading ---------------------------------------------------------------------------------

    def all_rules(self) -> dict[str, SavedRule]:
        """Return the rules of both protocols by name."""
        read = tuple(map(self.tables.saved, IP_PROTOCOLS))
        if read != self.read or not self.read:
            rules = [rule for saved in read for rule in saved.rules]
            names = names_since_7(rules)
            if len(set(names)) != len(names):
                raise ResourceFailure(
                    "Duplicate names have been found within your Firewalls. This prevents the "
                    "module from working correctly and must be manually resolved."
                )
            self.read, self.rules = read, dict(zip(names, rules, strict=True))
        return self.rules

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the states of all rules."""
        return {name: state_since_7(rule, name) for name, rule in self.all_rules().items()}

    def state(self, resource: ManagedResource) -> State:
        """Return the state of a rule; empty if it is absent."""
        name = resource.name
        if self.states is not None and name in self.states:
            return self.states[name]
        name = current_name(name, self.all_rules())
        rule = self.all_rules().get(name)
        state = {} if rule is None else state_since_7(rule, name)
        self.before[resource.name] = state
        return state

    # -- changing --------------------------------------------------------------------------------

    def flush(self, resource: ManagedResource) -> None:
        """Insert, replace or delete the rule."""
        name = resource.name
        values = wanted_values(resource)
        check(self.run, name, values)
        known = (self.states or {}).get(name) or self.before.get(name) or {}
        if values["ensure"] != ABSENT:
            self.write(name, complete(self.run, values), exists=bool(known))
        elif known:
            self.delete(name, known)

    def write(self, name: str, values: State, *, exists: bool) -> None:
        """Insert a rule at its place, or replace it."""
        protocol, chain, table = values["protocol"], values["chain"], values["table"]
        verb = "Updating" if exists else "Creating"
        self.run.log("notice", f"firewall[{name}]: {verb}: {verb} Rule '{name}'")
        read = self.tables.read_before if name in self.before else self.tables.saved
        rules = read(protocol).rules
        names = [
            one
            for one, rule in zip(names_since_7(rules), rules, strict=True)
            if (rule.chain, rule.table) == (chain, table)
        ]
        place = str(position(name, names))
        words = rule_arguments(NEW_OPTIONS, values | {"name": name}, protocol)
        action = "-R" if exists else "-I"
        self.tables.change(protocol, ["-t", table, action, chain, place, *words])
        self.tables.persist(protocol, old=False)

    def delete(self, name: str, state: State) -> None:
        """Delete a rule by its own words."""
        self.run.log("notice", f"firewall[{name}]: Deleting: Deleting Rule '{name}'")
        words = [word.text for word in rule_words(state["line"])]
        words[0] = "-D"
        self.tables.change(state["protocol"], ["-t", state["table"], *words])
        self.tables.persist(state["protocol"], old=False)


# -- wanted values ---------------------------------------------------------------------------------


def wanted_values(resource: ManagedResource) -> State:
    """Return the values of a resource as they are written; an array stays one."""
    found = {}
    for name, values in resource.values.items():
        if name in ("name", "provider") or not values:
            continue
        value = resource.original.get(name)
        found[name] = values[0] if value is None else value
    found["protocol"] = PROTOCOLS.get(found["protocol"], found["protocol"])
    return found


def complete(run: Run, values: State) -> State:
    """Return values in the forms that ``iptables`` gets."""
    found = dict(values)
    protocol = found["protocol"]
    for name in ("dport", "sport", "state", "ctstate", "ctstatus"):
        if isinstance(found.get(name), list):
            found[name] = once_negated(found[name])
    if str(found.get("jump")).lower() in UPPER:
        found["jump"] = found["jump"].upper()
    for name in ("source", "destination", "ctorigsrc", "ctorigdst", "ctreplsrc", "ctrepldst"):
        if name in found:
            found[name] = address(run, found[name], protocol)
    for name in ("ctorigsrc", "ctorigdst", "ctreplsrc", "ctrepldst"):
        if found.get(name):
            found[name] = found[name].removesuffix("/32" if protocol == "IPv4" else "/128")
    if "icmp" in found:
        found["icmp"] = icmp_number(found["icmp"], protocol)
    if "log_level" in found:
        found["log_level"] = level_number(found["log_level"])
    for name in ("set_mark", "match_mark", "connmark", "ctmask", "nfmask"):
        if name in found:
            found[name] = mark(found[name])
    for name in ("time_start", "time_stop"):
        if name in found:
            found[name] = full_time(found[name])
    for name in ("sport", "dport"):
        if name in found:
            found[name] = with_colons(found[name])
    return found


def once_negated(values: list[Value]) -> list[str]:
    """Return values of which only the first one is negated, if any is."""
    plain = [str(value).replace("!", "").replace(" ", "") for value in values]
    negated = bool(values) and str(values[0]).startswith("! ")
    return [f"! {plain[0]}", *plain[1:]] if negated else plain


def with_colons(value: Value) -> Value:
    """Return ports with colons in ranges."""
    if isinstance(value, list):
        return [str(one).replace("-", ":") for one in value]
    return value.replace("-", ":") if isinstance(value, str) else value


provider = Rules
