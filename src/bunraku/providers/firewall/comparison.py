"""Whether the state of a rule is the wanted one, as puppetlabs-firewall compares since version 7."""

from __future__ import annotations

import re
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.firewall.values import (
    address,
    full_time,
    icmp_number,
    level_number,
    mark,
)
from bunraku.providers.run import Run
from bunraku.types.ruby_semantics.values import to_s

Value = Any
ALL_FLAGS = "FIN,SYN,RST,PSH,ACK,URG"
MARKS = frozenset({"set_mark", "match_mark", "connmark", "ctmask", "nfmask"})
LISTS = frozenset({"dport", "sport", "state", "ctstate", "ctstatus"})
PORTS = frozenset({"dport", "sport"})
DEFAULT_LEVEL = "4"
"""The level of messages that ``iptables-save`` leaves out."""


def is_as_wanted(run: Run, name: str, current: Value, wanted: Value, protocol: str) -> bool:
    """Return whether the state of an attribute is the wanted one."""
    match name:
        case "source" | "destination":
            return bool(current == address(run, wanted, protocol))
        case "log_level":
            return level_number(current or DEFAULT_LEVEL) == level_number(wanted)
    if current is None:
        return False
    match name:
        case "protocol":
            return bool(current == {"iptables": "IPv4", "ip6tables": "IPv6"}.get(wanted, wanted))
        case "tcp_flags":
            return tcp_flags(current) == tcp_flags(wanted)
        case "uid" | "gid":
            return owner_number(run, name, current) == owner_number(run, name, wanted)
        case "mac_source" | "jump":
            return bool(current.lower() == str(wanted).lower())
        case "icmp":
            return icmp_number(current, protocol) == icmp_number(wanted, protocol)
        case "time_start" | "time_stop":
            return bool(current == full_time(wanted))
        case "string_hex":
            return without_spaces(current) == without_spaces(wanted)
        case "ipset":
            return sorted(several(current)) == sorted(several(wanted))
    if name in MARKS:
        return mark(current) == mark(wanted)
    return equal_lists(name, current, wanted) if name in LISTS else equal_values(current, wanted)


def equal_values(current: Value, wanted: Value) -> bool:
    """Return whether two values are equal; the order of arrays does not count."""
    if isinstance(current, list) and isinstance(wanted, list):
        return sorted(current) == sorted(wanted)
    return bool(current == wanted or current == str(wanted))


def equal_lists(name: str, current: Value, wanted: Value) -> bool:
    """Return whether ports or states are equal; a range of ports has a colon or a hyphen."""
    if isinstance(current, list) and isinstance(wanted, list):
        return list_parts(name, current) == list_parts(name, wanted)
    if isinstance(current, str) and isinstance(wanted, str) and name in PORTS:
        return current == wanted.replace("-", ":")
    return equal_values(current, wanted)


def list_parts(name: str, values: list[Value]) -> tuple[bool, list[str]]:
    """Return whether values are negated, and the values in order."""
    negated = bool(values) and str(values[0]).startswith("! ")
    plain = [str(value).replace("!", "").replace(" ", "") for value in values]
    return negated, sorted(one.replace("-", ":") if name in PORTS else one for one in plain)


def tcp_flags(value: str) -> str:
    """Return TCP flags with one word for all of them."""
    return " ".join("ALL" if word == ALL_FLAGS else word for word in value.split())


def without_spaces(value: Value) -> str:
    """Return a value as text without spaces."""
    return re.sub(r"\s+", "", to_s(value))


def several(value: Value) -> list[str]:
    """Return a value or several as a list."""
    return value if isinstance(value, list) else [value]


def owner_number(run: Run, name: str, value: Value) -> str:
    """Return a user or a group by number; a range and a negation stay.

    Raise ResourceFailure for a name that the machine does not have.
    """
    text = without_spaces(value)
    negation, text = ("!", text[1:]) if text.startswith("!") else ("", text)
    if re.fullmatch(r"[0-9]+(-[0-9]+)?", text):
        return negation + text
    if name == "uid":
        user = run.host.user(text)
        if user is None:
            raise ResourceFailure(f"can't find user for {text}")
        return f"{negation}{user.uid}"
    group = run.host.group(text)
    if group is None:
        raise ResourceFailure(f"can't find group for {text}")
    return f"{negation}{group.gid}"
