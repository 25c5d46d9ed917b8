"""The old predicates ``is_array``, ``is_bool`` …, as functions of the old kind.

Later versions of the library put functions of the new kind with the same names before these; they
warn that data types should be used instead (:mod:`deprecated`).
"""

from __future__ import annotations

import re
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.api_3 import Api3Table, unsuitable
from bunraku.functions.stdlib.addresses import parse_address
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.default import DEFAULT
from bunraku.values.ruby_semantics.numbers import is_number, to_f, to_i
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.version import SemVer

Value = Any
function = Api3Table()

POSIX_PATH = lazy_pattern(r"^/", re.MULTILINE)
WINDOWS_PATH = lazy_pattern(
    r"^(?:[A-Z]:[\\/]|[\\/][\\/][^\\/]+[\\/][^\\/]+|[\\/][\\/]\?[\\/][^\\/]+)",
    re.IGNORECASE | re.MULTILINE,
)


def is_path(value: Value) -> bool:
    """Return whether a value is a string with an absolute path of POSIX or Windows."""
    if value.__class__ is not str:
        return False
    return bool(POSIX_PATH.search(value) or WINDOWS_PATH.search(value))


@function.api_3("is_absolute_path", 1, 1, since="4.11.0", until="8.6.0")
def is_absolute_path(value: Value) -> bool:
    """Return whether a string is an absolute path of POSIX or Windows.

    ```puppet
    is_absolute_path('C:/foo')
    ```
    """
    return is_path(value)


@function.api_3("is_array", since="2.2.0", until="8.6.0")
def is_array(value: Value, *_: Value) -> bool:
    """Return whether a value is an array.

    ```puppet
    is_array([])
    ```
    """
    return value.__class__ is list


@function.api_3("is_hash", 1, 1, since="2.2.0", until="8.6.0")
def is_hash(value: Value) -> bool:
    """Return whether a value is a hash.

    ```puppet
    is_hash({})
    ```
    """
    return value.__class__ is dict


@function.api_3("is_bool", 1, 1, since="4.2.0", until="8.6.0")
def is_bool(value: Value) -> bool:
    """Return whether a value is a Boolean.

    ```puppet
    is_bool(false)
    ```
    """
    return value.__class__ is bool


def is_text(value: Value) -> bool:
    """Return whether a value is undef, or a string that is not a number as Ruby writes it."""
    return value is None or (
        value.__class__ is str and value not in {to_s(to_f(value)), str(to_i(value))}
    )


@function.api_3("is_string", since="2.2.0", until="8.6.0")
def is_string(value: Value, *_: Value) -> bool:
    """Return whether a value is a string that does not contain a number.

    ```puppet
    is_string('x')
    !is_string('5')
    ```
    """
    return is_text(value)


INTEGER = lazy_pattern(r"^-?(?:[1-9]\d*|0)$", re.MULTILINE | re.ASCII)
# Ruby classes below Numeric; they arrive here only through functions of the new kind.
RUBY_NUMBERS = frozenset({SemVer, Timespan, Timestamp})
NUMERIC = lazy_pattern(r"^-?(?:[1-9]\d*|0)(?:\.\d+)?(?:[eE]-?\d+)?$", re.MULTILINE | re.ASCII)


def is_whole(value: Value) -> bool:
    """Return whether a value is an Integer, or a string with one in decimal."""
    return value.__class__ is int or (value.__class__ is str and bool(INTEGER.search(value)))


@function.api_3("is_integer", 1, 1, since="2.2.0", until="8.6.0")
def is_integer(value: Value) -> bool:
    """Return whether a value is an Integer, or a string with one.

    ```puppet
    is_integer('-5')
    ```
    """
    return is_whole(value)


@function.api_3("is_float", 1, 1, since="2.2.0", until="8.6.0")
def is_float(value: Value) -> bool:
    """Return whether a value is a Float, or a string with one as Ruby writes it.

    ```puppet
    is_float('1.5')
    !is_float(2)
    ```
    """
    if value.__class__ is SemVer:
        raise unsuitable("is_float", 0, "a number or a String", value)
    if value.__class__ is str:
        return bool(value == to_s(to_f(value)))
    return value.__class__ is float


@function.api_3("is_numeric", 1, 1, since="2.2.0", until="8.6.0")
def is_numeric(value: Value) -> bool:
    """Return whether a value is a number, or a string with one.

    ```puppet
    is_numeric('8.5e-3')
    ```
    """
    if value.__class__ is str:
        return bool(NUMERIC.search(value))
    return is_number(value) or value.__class__ in RUBY_NUMBERS


def address_version(value: Value) -> int:
    """Return 4 or 6 for an address, 0 for anything else."""
    address = parse_address(value)
    return 0 if address is None else address.version


@function.api_3("is_ip_address", 1, 1, since="2.2.0", until="8.6.0")
def is_ip_address(value: Value) -> bool:
    """Return whether a string is an IP address.

    ```puppet
    is_ip_address('::1')
    ```
    """
    return address_version(value) > 0


@function.api_3("is_ipv4_address", 1, 1, since="4.12.0", until="8.6.0")
def is_ipv4_address(value: Value) -> bool:
    """Return whether a string is an IPv4 address.

    ```puppet
    is_ipv4_address('10.0.0.1')
    ```
    """
    return address_version(value) == 4


@function.api_3("is_ipv6_address", 1, 1, since="4.12.0", until="8.6.0")
def is_ipv6_address(value: Value) -> bool:
    """Return whether a string is an IPv6 address.

    ```puppet
    is_ipv6_address('::1')
    ```
    """
    return address_version(value) == 6


MAC = lazy_pattern(
    r"^[a-f0-9]{1,2}(?:(?::[a-f0-9]{1,2}){5}|(?::[a-f0-9]{1,2}){19})$", re.IGNORECASE | re.MULTILINE
)


@function.api_3("is_mac_address", 1, 1, since="2.2.0", until="8.6.0")
def is_mac_address(value: Value) -> bool:
    """Return whether a string is a hardware address.

    ```puppet
    is_mac_address('00:a0:1f:12:7f:a0')
    ```
    """
    if value is DEFAULT:
        return False
    if value.__class__ is not str:
        raise unsuitable("is_mac_address", 0, "a String", value)
    return bool(MAC.search(value))


TOP_LABEL = lazy_pattern(r"\.[A-Za-z]+$", re.MULTILINE)
LABEL = lazy_pattern(r"^[a-z\d-]+$", re.IGNORECASE | re.MULTILINE | re.ASCII)


def is_domain(value: Value) -> bool:
    """Return whether a string can be a domain name."""
    if value == ".":
        return True
    if value.__class__ is not str:
        return False
    domain = value.removesuffix(".")
    if not domain or len(domain) > 255 or ("." in domain and not TOP_LABEL.search(domain)):
        return False
    return all(
        1 <= len(label) <= 63
        and not label.startswith("-")
        and not label.endswith("-")
        and bool(LABEL.search(label))
        for label in domain.split(".")
    )


@function.api_3("is_domain_name", 1, 1, since="2.2.0", until="8.6.0")
def is_domain_name(value: Value) -> bool:
    """Return whether a string can be a domain name.

    ```puppet
    is_domain_name('foo.example.com')
    ```
    """
    return is_domain(value)


EMAIL = lazy_pattern(r"\A(?:[\w+\-].?)+@[a-z\d\-]+(?:\.[a-z]+)*\.[a-z]+\Z", re.ASCII)


def is_email(value: Value) -> bool:
    """Return whether a string looks like an address of electronic mail."""
    return value.__class__ is str and bool(EMAIL.match(value))


@function.api_3("is_email_address", 1, 1, since="4.12.0", until="8.6.0")
def is_email_address(value: Value) -> bool:
    """Return whether a string looks like an address of electronic mail.

    ```puppet
    is_email_address('dan@example.com')
    ```
    """
    return is_email(value)
