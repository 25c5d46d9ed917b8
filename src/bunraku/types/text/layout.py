"""Objects on several lines, as the alternate form of ``String(value, format)`` shows them."""

from __future__ import annotations

from typing import Any

from bunraku.base.records import names_of
from bunraku.types import model as m
from bunraku.types.base import Named, Type
from bunraku.types.text.display import inner, literal, own_name, shown_attributes, struct_key
from bunraku.values.keys import pairs
from bunraku.values.pcore import PcoreObject

Value = Any


def object_on_lines(value: PcoreObject, level: int) -> str:
    """Return ``Car({…})`` with one attribute per line; ``level`` is its nesting depth."""
    entries = [
        f"{literal(name)} => {on_lines(item, level + 1)}" for name, item in shown_attributes(value)
    ]
    return f"{own_name(value.type)}({block('{', entries, '}', level)})"


def on_lines(value: Value, level: int) -> str:
    """Return a value within an object."""
    kind = value.__class__
    if kind is PcoreObject:
        return object_on_lines(value, level)
    if kind is dict:
        entries = [
            f"{on_lines(key, level + 1)} => {on_lines(item, level + 1)}"
            for key, item in pairs(value)
        ]
        return block("{", entries, "}", level)
    if kind is list:
        if any(map(takes_lines, value)):
            return block("[", [on_lines(item, level + 1) for item in value], "]", level)
        return f"[{', '.join(on_lines(item, level) for item in value)}]"
    if isinstance(value, Type):
        return inner(spread(value, level))
    return literal(value)


def takes_lines(value: Value) -> bool:
    """Return whether a value spreads the array around it over several lines."""
    if value.__class__ in (list, dict):
        return bool(value)
    return value.__class__ is PcoreObject or isinstance(value, Type)


def spread(value: Any, level: int) -> Any:
    """Return a type whose Structs and URIs are aliases named by their multi-line text."""
    if isinstance(value, m.StructType) and value.elements:
        entries = [
            f"{struct_key(item)} => {inner(spread(item.type, level + 1))}"
            for item in value.elements
        ]
        return m.TypeAliasType(f"Struct[{block('{', entries, '}', level)}]")
    if isinstance(value, m.URIType) and value.parts:
        entries = [f"{literal(name)} => {on_lines(part, level + 1)}" for name, part in value.parts]
        return m.TypeAliasType(f"URI[{block('{', entries, '}', level)}]")
    if isinstance(value, tuple):
        return tuple(spread(item, level) for item in value)
    if isinstance(value, Type) and not isinstance(value, Named):
        given = {name: spread(getattr(value, name), level) for name in names_of(value)}
        return value.__class__(**given)
    return value


def block(opening: str, entries: list[str], closing: str, level: int) -> str:
    """Return the entries, one per line.

    >>> print(block("{", ["'a' => 1", "'b' => 2"], "}", 0))
    {
      'a' => 1,
      'b' => 2
    }
    """
    within, outer = "  " * (level + 1), "  " * level
    content = within + f",\n{within}".join(entries) + "\n" if entries else ""
    return f"{opening}\n{content}{outer}{closing}"
