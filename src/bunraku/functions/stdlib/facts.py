"""Functions that read the node's facts."""

from __future__ import annotations

import re
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.api_3 import Api3Table
from bunraku.functions.core.order import versioncmp
from bunraku.functions.stdlib import issues
from bunraku.runtime.state import Scope
from bunraku.values.keys import as_key
from bunraku.values.ruby_semantics.numbers import parse_integer
from bunraku.values.ruby_semantics.texts import kind_name

Value = Any
function = Api3Table()

STEP = lazy_pattern(r'([^."]+)|"([^"]+)"')


def quoted(steps: list[str]) -> str:
    """Return the part of the path that was walked, as it would be written."""
    return ".".join(f'"{step}"' if "." in step else step for step in steps)


@function("fact(String $name)", scope=True, since="4.19.0")
def fact(scope: Scope, name: str) -> Value:
    """Return a fact by its dotted path, or undef; put parts with dots in double quotes.

    ```puppet
    fact('no.such.fact') == undef
    ```
    """
    value: Value = facts_of(scope)
    walked: list[str] = []
    for plain, in_quotes in STEP.findall(name):
        step = plain or in_quotes
        if value is None:
            return None
        if value.__class__ is dict:
            value = value.get(step)
        elif value.__class__ is list:
            value = element(scope, value, step, name, walked)
        else:
            warn(scope, name, f"'{quoted(walked)}' is not a collection; cannot walk to '{step}'")
            value = None
        walked.append(step)
    return value


def element(scope: Scope, array: list[Value], step: str, name: str, walked: list[str]) -> Value:
    """Return an array's element by its number as text."""
    index = parse_integer(step)
    if index is None:
        warn(scope, name, f"'{quoted(walked)}' is an array; cannot index to '{step}'")
        return None
    return array[index] if -len(array) <= index < len(array) else None


def warn(scope: Scope, name: str, text: str) -> None:
    """Say why a fact is not found."""
    message = f"fact request for {name} returning nil: {text}"
    scope.compilation.messages.log("warning", message, scope)


def facts_of(scope: Scope) -> dict[Any, Value]:
    """Return the structured facts."""
    found = scope.lookup("facts", None)
    return found if found.__class__ is dict else {}


def inside(value: Value, name: str, *path: str) -> Value:
    """Return a fact that must be where the function looks for it."""
    for step in path:
        if value.__class__ is not dict:
            raise issues.FACT_MISSING(name=name, path=".".join(path))
        value = value.get(as_key(step))
    return value


def version_reached(name: str, actual: Value, wanted: str) -> bool:
    """Return whether a release is at least a version."""
    if actual.__class__ is not str:
        raise issues.RELEASE_TYPE(name=name, actual=kind_name(actual))
    return bool(versioncmp(actual, wanted) >= 0)


@function(
    "os_version_gte(String[1] $os, String[1] $version)", scope=True, since="5.2.0", until="8.6.0"
)
def os_version_gte(scope: Scope, os: str, version: str) -> bool:
    """Return whether the node runs an operating system in a version or a later one.

    ```puppet
    !os_version_gte('Multics', '1')
    ```
    """
    facts = facts_of(scope)
    if facts.get("operatingsystem") != os:
        return False
    return version_reached("os_version_gte", facts.get("operatingsystemmajrelease"), version)


@function("stdlib::os_version_gte(String[1] $os, String[1] $version)", scope=True, since="9.0.0")
def new_os_version_gte(scope: Scope, os: str, version: str) -> bool:
    """Return whether the node runs an operating system in a version or a later one."""
    name = "stdlib::os_version_gte"
    facts = facts_of(scope)
    if inside(facts, name, "os", "name") != os:
        return False
    return version_reached(name, inside(facts, name, "os", "release", "major"), version)


KINDS = {"ipaddress": "ip", "macaddress": "mac"}


@function("stdlib::has_interface_with(String[1] $interface)", scope=True, since="9.0.0")
def has_interface(scope: Scope, interface: str) -> bool:
    """Return whether the node has an interface, or one with a value such as an address."""
    return as_key(interface) in interfaces_of(scope)


@function(
    "stdlib::has_interface_with("
    "Enum['macaddress', 'netmask', 'ipaddress', 'network', 'ip', 'mac'] $kind, String[1] $value)",
    scope=True,
)
def has_interface_with(scope: Scope, kind: str, value: str) -> bool:
    """Return whether an interface of the node has a value."""
    wanted = KINDS.get(kind, kind)
    return any(item.get(wanted) == value for item in interfaces_of(scope).values())


FOUR_PARTS = lazy_pattern(r"\A(?:(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(?:\.|\Z)){4}", re.ASCII)


def need_ip4(text: str, name: str) -> str:
    """Return the text, which must be an IPv4 address without a prefix."""
    if FOUR_PARTS.match(text) is None or text.endswith("."):
        raise issues.NOT_AN_IPV4_ADDRESS(name=name, text=text)
    return text


@function("stdlib::has_ip_address(String $address)", scope=True, since="9.8.0")
def has_ip_address(scope: Scope, address: str) -> bool:
    """Return whether an interface of the node has an address."""
    return bool(has_interface_with(scope, "ip", need_ip4(address, "stdlib::has_ip_address")))


@function("stdlib::has_ip_network(String $network)", scope=True, since="9.8.0")
def has_ip_network(scope: Scope, network: str) -> bool:
    """Return whether an interface of the node is in a network."""
    return bool(has_interface_with(scope, "network", need_ip4(network, "stdlib::has_ip_network")))


def interfaces_of(scope: Scope) -> dict[Any, Value]:
    """Return the interfaces in the structured facts."""
    found = inside(facts_of(scope), "stdlib::has_interface_with", "networking", "interfaces")
    if found.__class__ is not dict:
        raise issues.INTERFACES_MISSING(name="stdlib::has_interface_with")
    return found
