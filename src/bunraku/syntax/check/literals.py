"""Literals: the values and types that are known without evaluating anything."""

from __future__ import annotations

from collections.abc import Hashable

from bunraku.base.lazy_typing import Final
from bunraku.syntax import nodes

PLAIN: Final[frozenset[type]] = frozenset(
    {
        nodes.Boolean,
        nodes.Default,
        nodes.Float,
        nodes.Integer,
        nodes.Name,
        nodes.Reference,
        nodes.Regexp,
        nodes.String,
        nodes.Undef,
    }
)
UNKNOWN: Final = object()
"""Stands for a value that is not known."""
LONGEST_SHOWN: Final = 40


def is_literal(node: nodes.Node) -> bool:
    """Return whether an expression is a literal type or value.

    A type whose only key is an array is not literal: ``Optional[[String]]``.
    """
    if node.__class__ in PLAIN:
        return True
    if isinstance(node, nodes.Access):
        keys = node.keys
        only_array = len(keys) == 1 and keys[0].__class__ is nodes.List
        return not only_array and all(map(is_literal, keys))
    if isinstance(node, nodes.List):
        return all(map(is_literal, node.values))
    if isinstance(node, nodes.Hash):
        return all(is_literal(item.key) and is_literal(item.value) for item in node.entries)
    return isinstance(node, nodes.UnaryMinus) and is_literal(node.expression)


def literal(node: nodes.Node) -> Hashable:
    """Return a stand-in for a literal value, equal for equal values only; UNKNOWN for others.

    >>> literal(nodes.Integer(0, 1, 1, 10)) == literal(nodes.Float(0, 3, 1.0, "1.0"))
    False
    """
    if node.__class__ is nodes.String or node.__class__ is nodes.Name:
        return str, node.value
    if isinstance(node, nodes.Integer):
        return int, node.value
    if isinstance(node, nodes.Float):
        return float, node.value
    if isinstance(node, nodes.Boolean):
        return bool, node.value
    if isinstance(node, nodes.Undef):
        return None
    if isinstance(node, nodes.Default):
        return "default"
    if isinstance(node, nodes.Regexp):
        return nodes.Regexp, node.pattern
    if isinstance(node, nodes.List):
        return all_known(nodes.List, [literal(value) for value in node.values])
    if isinstance(node, nodes.Hash):
        sides = [literal(side) for entry in node.entries for side in (entry.key, entry.value)]
        return all_known(nodes.Hash, sides)
    return UNKNOWN


def all_known(kind: type, values: list[Hashable]) -> Hashable:
    """Return a stand-in made of others, UNKNOWN if one of them is."""
    return UNKNOWN if UNKNOWN in values else (kind, *values)


def shown(node: nodes.Node, text: str) -> str:
    """Return a short expression as written."""
    written = text[node.start : node.end].split("\n", 1)[0]
    return written if len(written) <= LONGEST_SHOWN else f"{written[: LONGEST_SHOWN - 1]}…"
