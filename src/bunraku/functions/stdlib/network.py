"""Addresses and interfaces of the node, and membership in networks."""

from __future__ import annotations

from typing import Any

from bunraku.functions.api_3 import Api3Table, unsuitable
from bunraku.functions.stdlib import issues
from bunraku.functions.stdlib.addresses import Address, parse_address
from bunraku.runtime.state import Scope
from bunraku.types.ruby_semantics.values import to_s, unique
from bunraku.values.ruby_semantics.collections import flatten, same

Value = Any
function = Api3Table()


def need_address(value: Value, name: str) -> Address:
    """Return the address that a value is."""
    address = parse_address(value)
    if address is None:
        raise issues.NOT_AN_IP_ADDRESS(name=name, value=to_s(value))
    return address


@function("stdlib::ip_in_range(String $address, Variant[String, Array] $range)", since="6.0.0")
def ip_in_range(address: str, ranges: Value) -> bool:
    """Return whether an address is in a network, or in one of several.

    ```puppet
    stdlib::ip_in_range('10.0.0.7', ['192.168.0.0/16', '10.0.0.0/24'])
    ```
    """
    name = "stdlib::ip_in_range"
    wanted = need_address(address, name)
    networks = [
        need_address(item, name) for item in ([ranges] if ranges.__class__ is str else ranges)
    ]
    return any(network.covers(wanted) for network in networks)


@function.api_3("enclose_ipv6", 1, 1, since="4.12.0")
def enclose_ipv6(addresses: Value) -> list[str]:
    """Put brackets around the IPv6 addresses of an array.

    ```puppet
    enclose_ipv6(['10.0.0.1', '::1', '*']) == ['10.0.0.1', '[::1]', '*']
    ```
    """
    if addresses.__class__ not in {str, list}:
        raise unsuitable("enclose_ipv6", 0, "a String or an Array", addresses)
    result: list[str] = []
    for value in flatten([addresses]):
        if value is None:
            continue
        if value == "*":
            result.append(value)
            continue
        address = need_address(value, "enclose_ipv6")
        result.append(f"[{address}]" if address.version == 6 else value)
    return unique(result)


def has_interface(scope: Scope, name: Value, value: Value = None, *, by_kind: bool = False) -> bool:
    """Return whether the flat facts have an interface, or one with a fact of a kind and a value."""
    interfaces = scope.lookup("interfaces", None)
    if interfaces is None:
        return False
    names = interfaces.split(",")
    if not by_kind:
        return name in names
    if name.__class__ is str and same(scope.lookup(name, None), value):
        return True
    kind = to_s(name)
    return any(
        same(scope.lookup(f"{kind}_{interface.lower()}", None), value) for interface in names
    )


@function.api_3("has_interface_with", 1, 2, scope=True, since="3.2.0", earlier="2.6.0-2.6.0 3x")
def has_interface_with(scope: Scope, kind: Value, *values: Value) -> bool:
    """Return whether the node has an interface, or one with a value such as an address.

    ```puppet
    !has_interface_with('lo9')
    ```
    """
    if not values:
        return has_interface(scope, kind)
    return has_interface(scope, kind, values[0], by_kind=True)


@function.api_3("has_ip_address", 1, 1, scope=True, since="3.2.0", earlier="2.6.0-2.6.0 3x")
def has_ip_address(scope: Scope, address: Value) -> bool:
    """Return whether an interface of the node has an address.

    ```puppet
    !has_ip_address('192.0.2.1')
    ```
    """
    return has_interface(scope, "ipaddress", address, by_kind=True)


@function.api_3("has_ip_network", 1, 1, scope=True, since="3.2.0", earlier="2.6.0-2.6.0 3x")
def has_ip_network(scope: Scope, address: Value) -> bool:
    """Return whether an interface of the node is in a network.

    ```puppet
    !has_ip_network('192.0.2.0')
    ```
    """
    return has_interface(scope, "network", address, by_kind=True)
