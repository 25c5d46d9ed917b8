"""Objects on several lines, as the alternate form of ``String(value, format)`` shows them."""

from __future__ import annotations

from typing import Any

from bunraku.types.display import literal, own_name, shown_attributes
from bunraku.values.keys import pairs
from bunraku.values.pcore import PcoreObject

Value = Any


def object_on_lines(value: PcoreObject, level: int) -> str:
    """``Car({…})``, an attribute a line; ``level`` is how deep it stands in other values."""
    entries = [
        f"{literal(name)} => {on_lines(item, level + 1)}" for name, item in shown_attributes(value)
    ]
    return f"{own_name(value.type)}({block('{', entries, '}', level)})"


def on_lines(value: Value, level: int) -> str:
    """A value within an object."""
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
    return literal(value)


def takes_lines(value: Value) -> bool:
    """Whether a value makes the array that it is in stand on several lines."""
    return value.__class__ is PcoreObject or (value.__class__ in (list, dict) and bool(value))


def block(opening: str, entries: list[str], closing: str, level: int) -> str:
    """Entries a line each.

    >>> print(block("{", ["'a' => 1", "'b' => 2"], "}", 0))
    {
      'a' => 1,
      'b' => 2
    }
    """
    inner, outer = "  " * (level + 1), "  " * level
    content = inner + f",\n{inner}".join(entries) + "\n" if entries else ""
    return f"{opening}\n{content}{outer}{closing}"
