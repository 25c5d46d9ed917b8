"""The states of existing rules, as the two generations of puppetlabs-firewall read them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.providers.firewall.options import (
    BY_NAME,
    JOINED,
    OPTIONS,
    SEVERAL,
    SINGLE_PORTS,
    SWITCHES,
    Option,
)
from bunraku.providers.firewall.values import DSCP, network, protocol_name
from bunraku.providers.iptables import Part, SavedRule
from bunraku.providers.provider import State

Value = Any
NAME_SINCE_7 = re.compile(r"^\d+(?:[ \t-]\S+)+$", re.MULTILINE)
NAME_BEFORE_7 = re.compile(r"^\d+[!-~\s]+$", re.MULTILINE)
FIRST_NUMBER = 9000
"""Rules without a name of Puppet's form are numbered from here."""
INTEGERS = frozenset(
    {
        *("stat_every", "stat_packet", "burst", "rseconds", "rhitcount", "string_from"),
        *("string_to", "clusterip_total_nodes", "nflog_group", "nflog_range", "nflog_size"),
        *("nflog_threshold", "set_mss", "connlimit_upto", "connlimit_above", "connlimit_mask"),
        *("hashlimit_burst", "hashlimit_srcmask", "hashlimit_dstmask", "hashlimit_htable_size"),
        *("hashlimit_htable_max", "hashlimit_htable_expire", "hashlimit_htable_gcinterval"),
        *("zone", "month_days"),
    }
)
RECENT = frozenset({"--set", "--update", "--rcheck", "--remove"})
RPFILTER = frozenset({"--loose", "--validmark", "--accept-local", "--invert"})
IMPLIED = frozenset({"tcp", "udp"})
"""The modules of matches that come with a protocol."""
SILENT = frozenset({"-A", "-m", "--connlimit-saddr", "--fragid"})
"""Options that are no attributes."""
WITH_LIMIT = frozenset({"--limit-iface-in", "--limit-iface-out"})
POLICY = frozenset(
    {
        *("--strict", "--reqid", "--spi", "--proto", "--mode", "--tunnel-dst", "--tunnel-src"),
        "--next",
    }
)
"""Further options of the module policy."""


def flag_of(option: Option) -> str:
    """Return the word that stands for an option in a rule."""
    return option.flag.split()[-1] if option.flag else ""


ATTRIBUTES = {
    **{flag_of(option): option.name for option in OPTIONS if option.flag},
    **{flag: name for name, flag in SINGLE_PORTS.items()},
    "--icmpv6-type": "icmp",
}
"""Option → attribute; ``--mark`` stands for two."""


def attribute_of(part: Part) -> str | None:
    """Return the attribute that an option sets; None for an unknown option."""
    if part.match == "recent" and part.flag in RECENT:
        return "recent"
    if part.match == "rpfilter" and part.flag in RPFILTER:
        return "rpfilter"
    if part.flag == "--mark":
        return "match_mark" if part.match == "mark" else "connmark"
    return ATTRIBUTES.get(part.flag)


def comments(rule: SavedRule) -> list[str]:
    """Return the comments of a rule."""
    return rule.values_of("--comment")


def numbered(name: str | None, line: str, counter: int, form: re.Pattern[str]) -> str:
    """Return the name of a rule; one without a proper name gets a number above all others."""
    if name is None:
        return f"{FIRST_NUMBER + counter} {hashlib.sha256(line.encode()).hexdigest()}"
    return name if form.search(name) else f"{FIRST_NUMBER + counter} {name}"


# -- since version 7 -------------------------------------------------------------------------------


def names_since_7(rules: Iterable[SavedRule]) -> list[str]:
    """Return the names of rules."""
    return [name_since_7(rule, counter) for counter, rule in enumerate(rules, 1)]


def name_since_7(rule: SavedRule, counter: int) -> str:
    """Return the name of a rule."""
    name = next(iter(comments(rule)), None)
    return numbered(name, rule.line.replace("\\'", "'"), counter, NAME_SINCE_7)


def state_since_7(rule: SavedRule, name: str) -> State:
    """Return the state of a rule with its name, and a Boolean for each option without a value."""
    flags = {part.flag for part in rule.parts} | {
        part.match for part in rule.parts if part.match == "socket"
    }
    found: State = {
        "ensure": "present",
        "protocol": rule.protocol,
        "table": rule.table,
        "line": rule.line,
        "chain": rule.chain,
        "proto": "all",
        **{name: (flag_of(BY_NAME[name]) or name) in flags for name in SWITCHES},
    }
    for part in rule.parts:
        attribute = attribute_of(part)
        if attribute is not None and attribute not in SWITCHES:
            add_since_7(found, attribute, part)
    found["name"] = name
    found["proto"] = protocol_name(found["proto"])
    if "set_dscp" in found:
        found["set_dscp_class"] = DSCP.get(found["set_dscp"])
    for part in rule.parts:
        if part.flag in WITH_LIMIT:
            limit_interface(found, part)
    return found


def add_since_7(found: State, name: str, part: Part) -> None:
    """Add the value of an option; options that can be repeated become arrays."""
    value: Value = converted(name, part)
    if name in SEVERAL or name == "rpfilter":
        known = found.get(name)
        several = [] if known is None else known if isinstance(known, list) else [known]
        found[name] = value if known is None else [*several, value]
    else:
        found.setdefault(name, value) if name != "proto" else found.update(proto=value)


def converted(name: str, part: Part) -> Value:
    """Return the value of an option: a number, a text, or an array."""
    if name in ("recent", "rpfilter"):
        return f"{'! ' if part.negated else ''}{part.flag[2:]}"
    if name in JOINED and part.flag not in SINGLE_PORTS.values():
        values: list[Value] = part.value.split(",")
        values = [int(one) for one in values] if name == "month_days" else values
        return values[0] if len(values) == 1 and name not in ("sport", "dport") else values
    if name in INTEGERS and re.match(r"\d+", part.value):
        return int(re.split(r"\D", part.value)[0])
    if name == "stat_probability":
        return float(part.value) if "." in part.value else int(part.value)
    return part.value


def limit_interface(found: State, part: Part) -> None:
    """Add the limit to an interface to the address type before it."""
    name = "dst_type" if "dst_type" in found else "src_type"
    known = found.get(name)
    if isinstance(known, list):
        found[name] = [*known[:-1], f"{known[-1]} {part.flag}"]
    elif known is not None:
        found[name] = f"{known} {part.flag}"


# -- before version 7 ------------------------------------------------------------------------------

LISTS = frozenset({"dport", "sport", "port", "state", "ctstate", "ctstatus"})
SORTED = ("state", "ctstate", "ctstatus")
ACTIONS = frozenset({"ACCEPT", "REJECT", "DROP"})


def state_before_7(rule: SavedRule, provider: str, counter: int) -> State | None:
    """Return the state of a rule; None for a rule with options that the module does not know."""
    found = attributes_before_7(rule)
    if found is None:
        return None
    name = ";".join(comments(rule)) if comments(rule) else None
    return {
        **found,
        "name": numbered(name, rule.line, counter, NAME_BEFORE_7),
        "ensure": "present",
        "provider": provider,
        "table": rule.table,
        "chain": rule.chain,
        "line": rule.line,
    }


@remembered(4096)
def attributes_before_7(rule: SavedRule) -> State | None:
    """Return the attributes of a rule; None for a rule with options that the module does not know."""
    found: State = {}
    for part in rule.parts:
        if part.flag in SILENT or part.match == "ttl":
            continue
        if not add_before_7(found, part):
            return None
    if any(not known_module(part, found) for part in rule.parts if part.flag == "-m"):
        return None
    complete_before_7(found)
    return found


def known_module(part: Part, found: State) -> bool:
    """Return whether a module of matches stands for an attribute or comes with the protocol."""
    if part.match in IMPLIED or part.match == "ttl":
        return True
    return part.match == "socket" or any(
        option.match == part.match or (option.name == "icmp" and part.match == "icmp6")
        for option in OPTIONS
        if option.name in found
    )


def add_before_7(found: State, part: Part) -> bool:
    """Add the value of an option; return whether the option is known."""
    name = attribute_of(part)
    if part.flag in WITH_LIMIT or part.flag in POLICY:
        last = "ipsec_policy" if part.flag in POLICY else last_type(found)
        known = found.get(last)
        extra = " ".join((part.flag, *part.values))
        if isinstance(known, list):
            found[last] = [*known[:-1], f"{known[-1]} {extra}"]
        else:
            found[last] = f"{known} {extra}"
    elif name is None:
        return False
    elif name in SEVERAL or name == "rpfilter":
        value = part.flag if name == "rpfilter" else part.value
        found[name] = [*found.get(name, []), value]
    elif name in SWITCHES:
        found[name] = "!" if part.negated else "true"
    else:
        found[name] = text_before_7(name, part)
    return True


def last_type(found: State) -> str:
    """Return the attribute of the address type that comes last in a rule."""
    return "dst_type" if "dst_type" in found else "src_type"


def text_before_7(name: str, part: Part) -> Value:
    """Return the value of an option as a text, or as texts for ports and states."""
    if name == "recent":
        return f"{'! ' if part.negated else ''}{part.flag}"
    if name in LISTS:
        values = [f"! {one}" if part.negated else one for one in ",".join(part.values).split(",")]
        ports = name in ("dport", "sport", "port")
        return [one.replace(":", "-") if ports else one for one in values]
    if name in ("source", "destination"):
        text = part.values[0] if part.values else ""
        return f"{'! ' if part.negated else ''}{network(text) or text}"
    return part.value.replace(":", "-") if name == "length" else part.value


def complete_before_7(found: State) -> None:
    """Add what ``iptables-save`` leaves out, and the attributes that stand for others."""
    for name in SORTED:
        if name in found:
            found[name] = sorted(found[name])
    found.pop("name", None)
    if "set_dscp" in found:
        found["set_dscp_class"] = DSCP.get(found["set_dscp"])
    if found.get("jump") == "LOG":
        found.setdefault("log_level", "4")
    if "limit" in found:
        found.setdefault("burst", "5")
    found.setdefault("proto", "all")
    if found.get("jump") in ACTIONS:
        found["action"] = found.pop("jump").lower()
    for name in SWITCHES:
        found.setdefault(name, "false")
