"""Text of the old run that is another value in the new language, with that value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.source import Span
from bunraku.values.keys import as_key, pairs

Value = Any
NUMBER = lazy_pattern(
    r"(?P<hex>0[xX][0-9A-Fa-f]+)|(?P<octal>0[0-7]+)|(?P<integer>0|[1-9][0-9]*)"
    r"|(?P<float>[0-9]+(?:\.[0-9]+(?:[eE]-?[0-9]+)?|[eE]-?[0-9]+))"
)


class Marked(str):
    """Text that the rest of the program takes for text like any other.

    ``modern`` is the value that the new language has in its place; ``origin`` the number in code that
    it was written as, or None for a fact, whose name is ``fact``.
    """

    __slots__ = ("fact", "modern", "origin")
    modern: Value
    origin: Span | None
    fact: str

    def __new__(cls, text: str, modern: Value, origin: Span | None, fact: str = "") -> Marked:
        """Return text marked with the value behind it."""
        made = super().__new__(cls, text)
        made.modern, made.origin, made.fact = modern, origin, fact
        return made

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """The class by which the runtime distinguishes values."""
        return str


def is_marked(value: Value) -> bool:
    """Return whether a value is text marked with a value behind it."""
    return type(value) is Marked


def modern_number(text: str) -> Value:
    """Return the current value of a number as written; None where it is invalid.

    >>> [modern_number(text) for text in ("0644", "0x1F", "10", "1e3", "08", "2nd")]
    [420, 31, 10, 1000.0, None, None]
    """
    found = NUMBER.fullmatch(text)
    if found is None:
        return None
    if found["float"]:
        return float(text)
    return int(text, 16 if found["hex"] else 8 if found["octal"] else 10)


def modern(value: Value) -> Value:
    """Return a value of the old run in the form of the new language."""
    if type(value) is Marked:
        return value.modern
    if value.__class__ is list:
        return [modern(item) for item in value]
    if value.__class__ is dict:
        return {as_key(modern(key)): modern(item) for key, item in pairs(value)}
    return value


def marks(value: Value) -> list[Marked]:
    """Return the marked texts in a value."""
    if type(value) is Marked:
        return [value]
    if value.__class__ is list:
        return [mark for item in value for mark in marks(item)]
    if value.__class__ is dict:
        return [mark for pair in pairs(value) for part in pair for mark in marks(part)]
    return []


def marked_facts(texts: Mapping[str, Value], facts: Mapping[str, Value]) -> dict[str, Value]:
    """Variables of top scope, those of facts that are text only in the old language marked."""
    return {
        name: Marked(text, facts[name], None, name)
        if text.__class__ is str and name in facts and facts[name].__class__ is not str
        else text
        for name, text in texts.items()
    }
