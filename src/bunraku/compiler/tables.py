"""Values as constants of compiled code, where they need no code of their own."""

from __future__ import annotations

import ast

from bunraku.base.tabled_values import ARRAY, HASH, Tabled
from bunraku.compiler.emitter import Emitter
from bunraku.compiler.in_place import is_constant_type
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node


def has_tables(emitter: Emitter) -> bool:
    """Return whether code here may use tables: the dialect has them, and variables are in a scope."""
    return emitter.works_in_place and emitter.frame.scope_kept and not emitter.in_alias


def tabled(emitter: Emitter, node: Node) -> Tabled | None:
    """Return a value as a pair (:mod:`bunraku.base.tabled_values`); None where it needs code."""
    match node:
        case nodes.String() | nodes.Name() | nodes.Boolean() | nodes.Undef():
            return literal(emitter, node)
        case nodes.Integer() | nodes.Float():
            return literal(emitter, node)
        case nodes.Variable(name=name) if not name.isdigit():
            if name in emitter.frame.given:
                return f"${name}", None
            return name if "::" in name else f"${name}", emitter.place_of(node)
        case nodes.Access(left=nodes.Reference(value=name), keys=keys):
            titles = [key.value for key in keys if isinstance(key, nodes.Name | nodes.String)]
            if len(titles) == len(keys) and not is_constant_type(emitter, node):
                return (name, *titles), emitter.place_of(node)
        case nodes.List(values=values):
            items = [tabled(emitter, value) for value in values]
            return None if None in items else (ARRAY, tuple(items))
        case nodes.Hash(entries=entries):
            return tabled_hash(emitter, entries)
    return None


def literal(emitter: Emitter, node: Node) -> Tabled | None:
    """Return a literal as a pair."""
    made = emitter.expression(node)
    return (None, made.value) if isinstance(made, ast.Constant) else None


def tabled_hash(emitter: Emitter, entries: list[nodes.Entry]) -> Tabled | None:
    """Return a hash whose keys are texts as a pair; None for others."""
    found = []
    for entry in entries:
        value = tabled(emitter, entry.value)
        if value is None or not isinstance(entry.key, nodes.String | nodes.Name):
            return None
        found.append((entry.key.value, value))
    return HASH, tuple(found)


def is_sure(value: Tabled) -> bool:
    """Return whether a value can neither fail nor warn: literals, and variables that are set.

    >>> is_sure((None, "a")), is_sure((ARRAY, (("$x", (1, 0, 1, 2)),)))
    (True, False)
    """
    source, rest = value
    if source == ARRAY:
        return all(map(is_sure, rest))
    if source == HASH:
        return all(is_sure(entry) for _, entry in rest)
    return source is None or rest is None
