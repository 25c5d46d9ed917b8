"""The resource type ``firewalld_ipset``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.firewalld import Elements
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import munging, refused_by_check, switch
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.ruby_classes import ruby_class
from bunraku.types.ruby_semantics.values import inspect, to_s

Value = Any
NAME = re.compile(r"^[\w.-]+$", re.ASCII | re.MULTILINE)
INTEGER = re.compile(r"[+-]?\s*(?:0|[1-9][0-9]*|0[xX][0-9A-Fa-f]+|0[0-7]+|0[bB][01]+)")
ONE_ADDRESS = re.compile(r"(\b(?:[0-9]{1,3}\.){3}[0-9]{1,3})/32\b|(\b[0-9a-fA-F:]+)/128\b")
TYPES = (
    *("bitmap:ip", "bitmap:ip,mac", "bitmap:port", "hash:ip", "hash:ip,mark", "hash:ip,port"),
    *("hash:ip,port,ip", "hash:ip,port,net", "hash:mac", "hash:net", "hash:net,iface"),
    *("hash:net,net", "hash:net,port", "hash:net,port,net", "list:set"),
)


def read_set_name(value: Value) -> Value:
    """Check the name of a set."""
    if not isinstance(value, str) or not NAME.search(value):
        raise InvalidValue("IPset name must be a word with no spaces")
    return value


def read_set_options(value: Value) -> Value:
    """Check the options."""
    if not isinstance(value, dict):
        raise InvalidValue("options must be a hash")
    return value


def read_size(value: Value) -> Value:
    """Check the size of a table, a power of two."""
    if isinstance(value, bool):
        reason = f"undefined method `to_i' for {inspect(value)}:{ruby_class(value)}"
        raise refused_by_check("hashsize", reason)
    if not isinstance(value, float) and not INTEGER.fullmatch(to_s(value)):
        raise InvalidValue("hashsize must be an integer")
    digits = re.match("[+-]?[0-9]+", to_s(value))
    number = 0 if digits is None else int(digits[0])
    if number <= 0:
        raise InvalidValue("hashsize must be a positive integer")
    if number & (number - 1):
        raise InvalidValue("hashsize must be a power of 2")
    return value


class Entries(Elements):
    """The entries; a network of one address is the address."""

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return an entry without the length of the prefix of one address."""
        if not isinstance(value, str):
            reason = f"undefined method `gsub' for {inspect(value)}:{ruby_class(value)}"
            raise munging("entries", value, reason)
        return ONE_ADDRESS.sub(lambda match: match[1] or match[2], value)

    def described(self, resource: ManagedResource, current: Value, wanted: Value) -> str:
        """Return a message with the new entries."""
        new = sorted(one for one in wanted if one not in current)
        return f"adding in ipset entries {inspect(new)}"


class FirewalldIpset(ResourceType):
    """Sets of addresses of firewalld. A new option makes the set again."""

    name = "firewalld_ipset"
    module = "puppet-firewalld 5.1"
    providers = ("firewall_cmd",)
    attributes = (
        Ensure(default="present", about="Whether the set exists."),
        Entries("entries", about="The entries of the set. A new set needs them."),
        Property("family", words=("inet6", "inet"), about="The family of the addresses."),
        Property("hashsize", read=read_size, about="The first size of the table, a power of two."),
        Property("maxelem", pattern=r"^[1-9]\d*$", about="The largest number of entries."),
        Property(
            "timeout",
            pattern=r"^\d+$",
            about="The seconds after which an entry is removed; 0 means never.",
        ),
        Parameter("name", read=read_set_name, about="The name of the set."),
        Parameter("type", words=TYPES, default="hash:ip", about="The type of a new set."),
        Parameter("options", read=read_set_options, about="More options of a new set."),
        switch(
            "manage_entries",
            default=True,
            about="Whether the entries are managed; otherwise `entries` is refused.",
        ),
        Parameter("provider"),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for entries that are not to be managed."""
        if not resource.is_true("manage_entries") and resource["entries"] is not None:
            raise InvalidValue("Ipset should not declare entries if it doesn't manage entries")

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the service."""
        yield "service", "firewalld"


resource_type = FirewalldIpset
