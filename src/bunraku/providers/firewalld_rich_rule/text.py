"""The text of rich rules, in the language of firewalld."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.providers.managed_resource import ManagedResource
from bunraku.types.ruby_semantics.values import to_s

Value = Any
ELEMENTS = (
    *("service", "port", "protocol", "icmp_block", "icmp_type", "masquerade", "forward_port"),
)
"""The attributes of which a rule has one."""


def rule_text(resource: ManagedResource) -> str:
    """Return a rule as firewalld lists it."""
    if resource["raw_rule"] is not None:
        return to_s(resource["raw_rule"])
    return " ".join(word for word in ("rule", *words_of_rule(resource)) if word)


def pair(key: str, value: Value) -> str:
    """Return a key with its value in quotes; nothing without a value.

    >>> pair("family", "ipv4"), pair("ipset", None)
    ('family="ipv4"', '')
    """
    return "" if value is None or value is False else f'{key}="{to_s(value)}"'


def words_of_rule(resource: ManagedResource) -> Iterator[str]:
    """Yield the parts of a rule, some of them empty."""
    yield pair("family", resource["family"])
    yield pair("priority", resource["priority"])
    for name, word in (("source", "source"), ("dest", "destination")):
        address = resource[name]
        if address is not None:
            yield f"{word}{' NOT' if address.get('invert') else ''}"
            yield pair("address", address.get("address"))
            yield pair("ipset", address.get("ipset"))
    yield from words_of_element(resource)
    log = resource["log"]
    if log:
        yield "log"
        if isinstance(log, dict):
            yield pair("prefix", log.get("prefix"))
            yield pair("level", log.get("level"))
            yield pair("limit value", log.get("limit"))
    action = resource["action"]
    if isinstance(action, dict):
        yield to_s(action["action"])
        yield pair("type", action["type"])
    elif action:
        yield to_s(action)


def words_of_element(resource: ManagedResource) -> Iterator[str]:
    """Yield the parts of the element of a rule."""
    name = next((one for one in ELEMENTS if resource[one]), None)
    if name is None:
        return
    value = resource[name]
    yield name.replace("_", "-")
    match name:
        case "service" | "icmp_block" | "icmp_type":
            yield pair("name", value)
        case "protocol":
            yield pair("value", value)
        case "port":
            yield pair("port", value.get("port"))
            yield pair("protocol", value.get("protocol"))
        case "forward_port":
            for key in ("port", "protocol", "to_port", "to_addr"):
                yield pair(key.replace("_", "-"), value.get(key))
