"""The resource type ``host``."""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv6Address

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.parsed_file import LineType, SpacedList, present_if_managed
from bunraku.providers.reading import check_text, one_text
from bunraku.types.ruby_semantics.values import inspect, to_s

PART = re.compile(r"\w+|\w[\w-]+\w", re.ASCII)
FOUR = re.compile(r"(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})")


def read_address(value: object) -> str:
    """Check an IPv4 or IPv6 address."""
    text = to_s(value)
    four = FOUR.fullmatch(text)
    if four is not None and all(int(part) <= 255 for part in four.groups()):
        return text
    try:
        IPv6Address(text)
    except AddressValueError:
        raise InvalidValue(f"Invalid IP address {inspect(value)}") from None
    return text


def read_host_name(value: object) -> str:
    """Check the name of a host."""
    check_text("name", value, "split")
    name = to_s(value)
    if "\n" in name or "\r" in name:
        raise InvalidValue("Hostname cannot include newline")
    if not all(PART.fullmatch(part) for part in name.rstrip(".").split(".")):
        raise InvalidValue("Invalid host name")
    return name


def read_alias(value: object) -> str:
    """Check another name of a host."""
    check_text("host_aliases", value, "empty?")
    name = to_s(value)
    if re.search(r"\s", name):
        raise InvalidValue("Host aliases cannot include whitespace")
    if not name:
        raise InvalidValue(
            "Host aliases cannot be an empty string. Use an empty array to delete all host_aliases "
        )
    return name


def read_comment(value: object) -> str:
    """Check a comment, which must be one line."""
    text: str = one_text("comment")(value)
    if "\n" in text or "\r" in text:
        raise InvalidValue("Comment cannot include newline")
    return text


class HostEntry(LineType):
    """Entries of ``/etc/hosts``: an address with the names of its host."""

    name = "host"
    module = "puppetlabs-host_core 1.1"
    providers = ("parsed",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the entry exists."),
        Property("ip", read=read_address, about="The IPv4 or IPv6 address."),
        SpacedList("host_aliases", read=read_alias, about="Additional names of the host."),
        Property("comment", read=read_comment, about="A comment at the end of the line."),
        Property("target", text=True, default="/etc/hosts", about="The file that holds the entry."),
        Parameter("name", read=read_host_name, about="The name of the host."),
    )


resource_type = HostEntry
