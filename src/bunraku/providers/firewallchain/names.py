"""The names of chains, ``CHAIN:TABLE:PROTOCOL``, and which chains and tables fit together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.base.records import record

BUILT_IN = frozenset({"PREROUTING", "POSTROUTING", "INPUT", "FORWARD", "OUTPUT"})
OF_TABLE = {
    "filter": ("INPUT", "FORWARD", "OUTPUT"),
    "nat": ("PREROUTING", "INPUT", "OUTPUT", "POSTROUTING"),
    "mangle": ("PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING"),
    "raw": ("PREROUTING", "OUTPUT"),
    "security": ("INPUT", "FORWARD", "OUTPUT"),
}
"""Table → the chains that the kernel makes in it."""
BRIDGE = "BROUTING"
"""The chain of the table broute."""
NAME = re.compile(r"(.+):(nat|mangle|filter|raw|rawpost|broute|security):(IP(?:v[46])?|ethernet)")


@record(frozen=True)
class ChainName:
    """The parts of a name."""

    chain: str
    table: str
    protocol: str

    @property
    def is_built_in(self) -> bool:
        """Whether the kernel makes the chain."""
        return self.chain in BUILT_IN


def parse(name: str) -> ChainName | None:
    """Return the parts of a name; None for a wrong one.

    >>> parse("INPUT:filter:IPv4")
    ChainName(chain='INPUT', table='filter', protocol='IPv4')
    """
    match = NAME.fullmatch(name)
    return None if match is None else ChainName(*match.groups())


def misfits(name: ChainName) -> Iterator[str]:
    """Yield the message for a chain that its table does not have."""
    chain = name.chain
    match name.table:
        case "filter" | "security":
            if chain in ("PREROUTING", "POSTROUTING", BRIDGE):
                yield (
                    "INPUT, OUTPUT and FORWARD are the only inbuilt chains that can be used in "
                    f"table '{name.table}'"
                )
        case "mangle":
            if chain == BRIDGE:
                yield (
                    "PREROUTING, POSTROUTING, INPUT, FORWARD and OUTPUT are the only inbuilt "
                    "chains that can be used in table 'mangle'"
                )
        case "nat":
            if chain in (BRIDGE, "FORWARD"):
                yield (
                    "PREROUTING, POSTROUTING, INPUT, and OUTPUT are the only inbuilt chains that "
                    "can be used in table 'nat'"
                )
        case "raw":
            if chain in ("POSTROUTING", BRIDGE, "INPUT", "FORWARD"):
                yield "PREROUTING and OUTPUT are the only inbuilt chains in the table 'raw'"
        case "broute":
            yield from bridge_misfits(name)


def bridge_misfits(name: ChainName) -> Iterator[str]:
    """Yield the message for a chain or a protocol that the table broute does not have."""
    if name.protocol != "ethernet":
        yield "BROUTE is only valid with protocol 'ethernet'"
    if name.chain in BUILT_IN:
        yield "BROUTING is the only inbuilt chain allowed on on table 'broute'"
