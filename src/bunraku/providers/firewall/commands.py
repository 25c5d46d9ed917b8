"""The words of ``iptables`` commands for the attributes of a rule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bunraku.providers.firewall.options import (
    JOINED,
    OPTIONS,
    QUOTED,
    SEVERAL,
    SINGLE_PORTS,
    SWITCHES,
    Option,
)
from bunraku.types.ruby_semantics.values import to_s

Value = Any
NEGATION = re.compile(r"!\s?")
NEW_OPTIONS = tuple(option for option in OPTIONS if option.name != "port")
OLD_OPTIONS = OPTIONS
ONLY_OLD_IPV4 = frozenset(
    {
        *("isfragment", "stat_mode", "stat_every", "stat_packet", "stat_probability", "goto"),
        *("to", "random", "ipvs", "cgroup", "clusterip_new", "clusterip_hashmode"),
        *("clusterip_clustermac", "clusterip_total_nodes", "clusterip_local_node"),
        "clusterip_hash_init",
    }
)
"""The attributes that the old provider of IPv6 does not have."""


def swapped(options: tuple[Option, ...], first: str, second: str) -> tuple[Option, ...]:
    """Return options with one moved right behind another."""
    moved = next(option for option in options if option.name == first)
    rest = [option for option in options if option is not moved]
    place = [option.name for option in rest].index(second) + 1
    return (*rest[:place], moved, *rest[place:])


OLD_OPTIONS_IPV6 = swapped(
    swapped(
        tuple(option for option in OLD_OPTIONS if option.name not in ONLY_OLD_IPV4),
        "hop_limit",
        "icmp",
    ),
    "match_mark",
    "mss",
)
"""The options in the order of the old provider of IPv6."""


class Words:
    """The words of a command, made option by option."""

    def __init__(self, protocol: str, *, old: bool) -> None:
        self.protocol = protocol
        self.old = old
        """Whether both address types share one module of matches, as before version 7."""
        self.words: list[str] = []
        self.modules: set[str] = set()
        """The modules of matches that the command has loaded."""

    def add(self, option: Option, value: Value) -> None:
        """Add an option with its value."""
        if option.name in SWITCHES:
            if value in (True, "true"):
                self.load(option.match)
                self.words += option.flag.split()
        elif option.name in SEVERAL:
            for one in value if isinstance(value, list) else [value]:
                self.words += self.of_set(option, str(one))
        else:
            self.add_valued(option, value)

    def add_valued(self, option: Option, value: Value) -> None:
        """Add an option that is used once."""
        text = joined(value)
        negated = NEGATION.match(text) is not None
        text = NEGATION.sub("", text, count=1) if negated else text
        flag, module = option.flag, option.match
        if option.name == "icmp" and self.protocol == "IPv6":
            flag, module = "--icmpv6-type", "icmp6"
        if option.name in SINGLE_PORTS and not isinstance(value, list):
            flag, module = SINGLE_PORTS[option.name], ""
        self.load(module)
        words = [text] if option.name in QUOTED else text.split()
        if option.name in ("recent", "rpfilter"):
            words = [f"--{one.removeprefix('--')}" for one in re.split(r"[\s,]+", text)]
        self.words += [*(["!"] if negated else []), *flag.split(), *words]

    def of_set(self, option: Option, value: str) -> list[str]:
        """Return the words of one value of an option that has its own module for each value."""
        negated = NEGATION.match(value) is not None
        text = NEGATION.sub("", value, count=1) if negated else value
        shared = self.old and option.name == "dst_type" and "--src-type" in self.words
        module = [] if shared else ["-m", option.match]
        return [*module, *(["!"] if negated else []), option.flag, *text.split()]

    def load(self, module: str) -> None:
        """Load a module of matches unless the command has it."""
        if module and module not in self.modules:
            self.modules.add(module)
            self.words += ["-m", module]


def joined(value: Value) -> str:
    """Return the values of an option as one text; only the first one stays negated.

    >>> joined(["! 80", "! 443"]), joined(5)
    ('! 80,443', '5')
    """
    if not isinstance(value, list):
        return to_s(value)
    first, *rest = map(to_s, value)
    return ",".join([first, *(NEGATION.sub("", one, count=1) for one in rest)])


def rule_arguments(
    options: tuple[Option, ...], values: Mapping[str, Value], protocol: str, *, old: bool = False
) -> list[str]:
    """Return the words for the values of a rule."""
    command = Words(protocol, old=old)
    for option in options:
        value = values.get(option.name)
        if value is not None:
            command.add(option, value)
    return command.words


def old_arguments(values: Mapping[str, Value], protocol: str) -> list[str]:
    """Return the words as puppetlabs-firewall before version 7 has them: ports are always multiple."""
    options = OLD_OPTIONS if protocol == "IPv4" else OLD_OPTIONS_IPV6
    lists = {
        name: value if isinstance(value, list) or name not in JOINED else [value]
        for name, value in values.items()
    }
    return rule_arguments(options, lists, protocol, old=True)
