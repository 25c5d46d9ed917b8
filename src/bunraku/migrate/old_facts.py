"""Facts of a Puppet 3 agent, as an agent of today sends them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.facts.legacy import INTERFACE, PATHS, dig

Facts = dict[str, Any]
ADDED = frozenset({"clientcert", "clientversion", "clientnoop", "agent_specified_environment"})
"""Facts that all agents add."""
WORDS = {"true": True, "false": False}
WHOLE_NUMBERS = frozenset(
    [
        *("processors.count", "processors.physicalcount"),
        *("system_uptime.days", "system_uptime.hours", "system_uptime.seconds"),
    ]
)
"""Structured facts that are numbers."""


def are_text(facts: Mapping[str, Any]) -> bool:
    """Return whether every fact is text, as a Puppet 3 server stores them.

    >>> are_text({"is_virtual": "true", "clientnoop": False}), are_text({"is_virtual": True})
    (True, False)
    """
    given = [value for name, value in facts.items() if name not in ADDED]
    return bool(given) and all(isinstance(value, str) for value in given)


def modern_facts(facts: Mapping[str, Any]) -> Facts:
    """Return facts as Puppet 8 has them: with kinds of values, and structured.

    Only facts that are all text are converted: the words true and false become booleans, and the
    structured facts that correspond to legacy facts are added.

    >>> found = modern_facts({"is_virtual": "true", "osfamily": "Debian", "processorcount": "4"})
    >>> found["is_virtual"], found["os"], found["processors"]
    (True, {'family': 'Debian'}, {'count': 4})
    """
    if not are_text(facts):
        return dict(facts)
    found: Facts = {
        name: WORDS.get(value, value) if isinstance(value, str) else value
        for name, value in facts.items()
    }
    for name, path in PATHS.items():
        if name in facts and dig(found, path) is None:
            number = path in WHOLE_NUMBERS and facts[name].isdigit()
            put(found, path.split("."), int(facts[name]) if number else found[name])
    for interface in filter(None, str(facts.get("interfaces", "")).split(",")):
        for start, key in INTERFACE.items():
            value = facts.get(f"{start}_{interface}")
            if value is not None:
                number = key == "mtu" and value.isdigit()
                path_of = ["networking", "interfaces", interface, key]
                put(found, path_of, int(value) if number else value)
    return found


def put(facts: Facts, path: Sequence[str], value: Any) -> None:
    """Set a value within structured facts; a fact that is text already stays."""
    inner = facts
    for part in path[:-1]:
        below = inner.setdefault(part, {})
        if not isinstance(below, dict):
            return
        inner = below
    inner.setdefault(path[-1], value)


def structured_path(name: str, facts: Mapping[str, Any]) -> list[str] | None:
    """Return where the value of a legacy fact is in the structured facts; None if it is nowhere.

    >>> facts = {"networking": {"interfaces": {"eth0.1": {"ip": "192.0.2.1"}}}}
    >>> structured_path("ipaddress_eth0_1", facts)
    ['networking', 'interfaces', 'eth0.1', 'ip']
    """
    path = PATHS.get(name)
    if path is not None:
        return None if dig(facts, path) is None else path.split(".")
    start, _, ending = name.partition("_")
    if start in INTERFACE:
        for interface, values in (dig(facts, "networking.interfaces") or {}).items():
            sanitized = "".join(letter if letter.isalnum() else "_" for letter in interface.lower())
            if sanitized == ending and INTERFACE[start] in values:
                return ["networking", "interfaces", interface, INTERFACE[start]]
    return None
