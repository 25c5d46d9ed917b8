"""Values as the catalog of Puppet 3 has them."""

from __future__ import annotations

from typing import Any

from bunraku.runtime.references import is_reference
from bunraku.types.model import ResourceType, Type
from bunraku.types.value_text import to_text
from bunraku.values.default import DEFAULT
from bunraku.values.keys import pairs
from bunraku.values.regexp.regexp import Regexp

Value = Any


def inner_value(value: Value) -> Value:
    """Return the form of a value within an array or hash in the catalog: undef is a word.

    >>> inner_value([1, None, {"k": None}])
    [1, 'undef', {'k': 'undef'}]
    """
    if value is None:
        return "undef"
    if value.__class__ is ResourceType and value.title is None:
        return f"{to_text(value).removeprefix('::')}[]"
    if value.__class__ is list:
        return [inner_value(item) for item in value]
    if value.__class__ is dict:
        return {key_text(key): inner_value(item) for key, item in pairs(value)}
    if value.__class__ is Regexp:
        return f"/{value.source_text()}/"
    return to_text(value) if value is DEFAULT or is_plain_type(value) else value


def key_text(key: Value) -> str:
    """Return the form of a hash key in the catalog: text."""
    return "undef" if key is None else to_text(key)


def is_plain_type(value: Value) -> bool:
    """Return whether a value is a type, not a reference to a resource."""
    return isinstance(value, Type) and not is_reference(value)


def catalog_value(name: str, value: Value) -> Value:
    """Return the form of a parameter's value in the catalog; that of ``name`` is text."""
    found = inner_value(value)
    return to_text(found) if name == "name" and found.__class__ in PLAIN else found


PLAIN = frozenset({bool, int, float})
