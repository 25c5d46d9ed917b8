"""Literals: the values and types that are known without evaluating anything."""

from __future__ import annotations

from collections.abc import Hashable

from bunraku.base.lazy_typing import Final
from bunraku.syntax.nodes import (
    Access,
    Boolean,
    Default,
    Float,
    Hash,
    Integer,
    List,
    Name,
    Node,
    Reference,
    Regexp,
    String,
    UnaryMinus,
    Undef,
)

PLAIN: Final[frozenset[type]] = frozenset(
    {Boolean, Default, Float, Integer, Name, Reference, Regexp, String, Undef}
)
UNKNOWN: Final = object()
"""Stands for a value that is not known."""
LONGEST_SHOWN: Final = 40


def is_literal(node: Node) -> bool:
    """Return whether an expression is a literal type or value.

    A type whose only key is an array is not literal: ``Optional[[String]]``.
    """
    if node.__class__ in PLAIN:
        return True
    if isinstance(node, Access):
        keys = node.keys
        only_array = len(keys) == 1 and keys[0].__class__ is List
        return not only_array and all(map(is_literal, keys))
    if isinstance(node, List):
        return all(map(is_literal, node.values))
    if isinstance(node, Hash):
        return all(is_literal(item.key) and is_literal(item.value) for item in node.entries)
    return isinstance(node, UnaryMinus) and is_literal(node.expression)


def literal(node: Node) -> Hashable:
    """Return a stand-in for a literal value, equal for equal values only; UNKNOWN for others.

    >>> literal(Integer(0, 1, 1, 10)) == literal(Float(0, 3, 1.0, "1.0"))
    False
    """
    if node.__class__ is String or node.__class__ is Name:
        return str, node.value
    if isinstance(node, Integer):
        return int, node.value
    if isinstance(node, Float):
        return float, node.value
    if isinstance(node, Boolean):
        return bool, node.value
    if isinstance(node, Undef):
        return None
    if isinstance(node, Default):
        return "default"
    if isinstance(node, Regexp):
        return Regexp, node.pattern
    if isinstance(node, List):
        return all_known(List, [literal(value) for value in node.values])
    if isinstance(node, Hash):
        sides = [literal(side) for entry in node.entries for side in (entry.key, entry.value)]
        return all_known(Hash, sides)
    return UNKNOWN


def all_known(kind: type, values: list[Hashable]) -> Hashable:
    """Return a stand-in made of others, UNKNOWN if one of them is."""
    return UNKNOWN if UNKNOWN in values else (kind, *values)


def shown(node: Node, text: str) -> str:
    """Return a short expression as written."""
    written = text[node.start : node.end].split("\n", 1)[0]
    return written if len(written) <= LONGEST_SHOWN else f"{written[: LONGEST_SHOWN - 1]}…"
