"""Values as constants of compiled code, where they need no code of their own."""

from __future__ import annotations

import ast
from functools import partial

from bunraku.base.tabled_values import ARRAY, HASH, Tabled
from bunraku.compiler.emitter import Emitter
from bunraku.compiler.in_place import TypeKey, is_constant, is_constant_type, key_parameters
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


# -- the right sides of type aliases -----------------------------------------------------------------


def tabled_type(emitter: Emitter, node: Node) -> TypeKey | None:
    """Return the right side of an alias as nested tuples; None where it needs code.

    A type is its name, in small letters unless it is a type of a module, and its parameters: types,
    texts and integers; of a Struct the name of each key, the type around it (None without one) and the
    type of its value; of a Pattern the text of each pattern, and the place of a text, which may be none.
    """
    if not emitter.works_in_place or emitter.type_names:
        return None
    match node:
        case nodes.Reference(value=name):
            if is_constant(emitter, node):
                return (name.lower(),)
            return (name,) if "::" in name and not name.startswith("::") else None
        case nodes.Access(left=nodes.Reference(value=name) as left, keys=keys):
            if not is_constant(emitter, left):
                return None
            name = name.lower()
            if name == "struct":
                found = struct_parameters(emitter, keys)
            elif name == "pattern":
                found = pattern_parameters(emitter, keys)
            else:
                found = key_parameters(name, keys, partial(tabled_type, emitter))
            return (name, *found) if found else None
    return None


def pattern_parameters(emitter: Emitter, keys: list[Node]) -> list[TypeKey] | None:
    """Return the parameters of a Pattern for :func:`tabled_type`."""
    found: list[TypeKey] = []
    for key in keys:
        if isinstance(key, nodes.Regexp):
            found.append((key.pattern, None))
        elif isinstance(key, nodes.String):
            found.append((key.value, emitter.place_of(key)))
        else:
            return None
    return found


def struct_parameters(emitter: Emitter, keys: list[Node]) -> list[TypeKey] | None:
    """Return the entries of the hash of a Struct for :func:`tabled_type`."""
    if len(keys) != 1 or not isinstance(keys[0], nodes.Hash):
        return None
    found: dict[str, TypeKey] = {}
    for entry in keys[0].entries:
        around: str | None = None
        key: Node | None = entry.key
        if isinstance(key, nodes.Access) and isinstance(key.left, nodes.Reference):
            around = key.left.value.lower()
            key = key.keys[0] if len(key.keys) == 1 else None
        if around not in (None, "optional", "notundef"):
            return None
        type_ = tabled_type(emitter, entry.value)
        if not isinstance(key, nodes.String | nodes.Name) or not key.value or type_ is None:
            return None
        if key.value in found:
            return None
        found[key.value] = key.value, around, type_
    return list(found.values())
