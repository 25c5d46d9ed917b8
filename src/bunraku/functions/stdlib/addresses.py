"""Network addresses as Ruby's ``IPAddr`` reads and writes them."""

from __future__ import annotations

import ipaddress
import re
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record

IP = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

BRACKETS = lazy_pattern(r"\A\[(.*)\]\Z")
ZONE = lazy_pattern(r"\A(.*)(%\w+)\Z", re.ASCII)
PREFIX = lazy_pattern(r"\A(?:0|[1-9]+\d*)\Z", re.ASCII)
EMBEDDED = lazy_pattern(r"\A::(ffff:)?([\da-f]{1,4}):([\da-f]{1,4})\Z")


@record(frozen=True)
class Address:
    """An address or, with a prefix, all addresses of a network."""

    network: Network
    zone: str = ""

    @property
    def version(self) -> int:
        """4 or 6."""
        return self.network.version

    def covers(self, other: Address) -> bool:
        """Return whether the other network is completely within this one."""
        if self.version != other.version:
            return False
        first, last = other.network.network_address, other.network.broadcast_address
        return first in self.network and last in self.network

    def __str__(self) -> str:
        text = str(self.network.network_address)
        found = EMBEDDED.match(text)
        if found is not None and self.version == 6:
            high, low = int(found[2], 16), int(found[3], 16)
            text = f"::{found[1] or ''}{ipaddress.IPv4Address(high << 16 | low)}"
        return text + self.zone


def parse_address(text: Any) -> Address | None:
    """Return the address in a text, or None; prefixes, masks, zones and brackets are accepted.

    >>> str(parse_address("10.0.0.7/8")), str(parse_address("[fe80::0:1]"))
    ('10.0.0.0', 'fe80::1')
    >>> parse_address("10.0.0.256") is None
    True
    """
    if text.__class__ is not str:
        return None
    prefix, slash, length = text.partition("/")
    bracketed = BRACKETS.match(prefix)
    if bracketed is not None:
        prefix = bracketed[1]
    zoned = ZONE.match(prefix)
    if zoned is not None:
        prefix = zoned[1]
    only_six = bracketed is not None or zoned is not None
    if only_six and ":" not in prefix:
        return None
    try:
        address: IP = ipaddress.ip_address(prefix)
        network = with_mask(address, length if slash else None)
    except ValueError:
        return None
    return None if network is None else Address(network, zoned[2] if zoned else "")


def with_mask(address: IP, length: str | None) -> Network | None:
    """Return the network of an address under a prefix length or a mask."""
    if length is None:
        return ipaddress.ip_network(address)
    if PREFIX.match(length):
        return ipaddress.ip_network((address, int(length)), strict=False)
    mask = ipaddress.ip_address(length)
    bits = mask.max_prefixlen
    inverted = (1 << bits) - 1 ^ int(mask)
    if mask.version != address.version or inverted & (inverted + 1):
        return None
    return ipaddress.ip_network((address, bits - inverted.bit_length()), strict=False)
