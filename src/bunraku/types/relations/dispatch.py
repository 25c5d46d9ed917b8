"""The frame of assignability: actual types that represent others are split first.

The relation of each expected type is in :mod:`bunraku.types.relations.assignable`, which fills the table.
"""

# ruff: noqa: ARG001 - rules of one table have one signature

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.types import model as m
from bunraku.types.model import Type

Guard = frozenset[tuple[int, int]]
NO_GUARD: Guard = frozenset()
Relation = Callable[[Any, Type, Guard], bool]

RELATIONS: dict[type[Type], Relation] = {}
"""By the class of the expected type."""


def assignable(expected: Type, actual: Type, guard: Guard) -> bool:
    """Return the relation itself; ``guard`` holds the pairs of aliases being compared right now."""
    if expected is actual:
        return True
    split = SPLIT.get(actual.__class__)
    if split is not None:
        return split(expected, actual, guard)
    return within(expected, actual, guard)


def within(expected: Type, actual: Type, guard: Guard) -> bool:
    """Return the relation by the class of the expected type, with ``actual`` as a whole."""
    return RELATIONS[expected.__class__](expected, actual, guard)


# -- actual types that represent others -----------------------------------------------------------


def from_unit(expected: Type, actual: Type, guard: Guard) -> bool:
    """Return True: Unit is within every type."""
    return True


def from_alias(expected: Type, actual: Any, guard: Guard) -> bool:
    """Return whether the alias's definition is within the type; True for a pair in progress."""
    if isinstance(expected, m.TypeAliasType) and expected == actual:
        return True
    pair = (id(expected), id(actual))
    if pair in guard or actual.definition is None:
        return pair in guard
    return assignable(expected, actual.definition, guard | {pair})


def from_variant(expected: Type, actual: Any, guard: Guard) -> bool:
    """Return whether each type of a Variant is within the type; the bare Variant is empty."""
    if isinstance(expected, m.VariantType) and not expected.types:
        return True
    if not actual.types:
        return not isinstance(expected, m.OptionalType) and within(expected, actual, guard)
    if isinstance(expected, m.VariantType) and expected == actual:
        return True
    return all(assignable(expected, item, guard) for item in actual.types)


def from_optional(expected: Type, actual: Any, guard: Guard) -> bool:
    """Return whether undef and the inner type are within the type; bare Optional is undef."""
    if not assignable(expected, m.UNDEF, guard):
        return False
    return actual.type is None or assignable(expected, actual.type, guard)


def from_not_undef(expected: Type, actual: Any, guard: Guard) -> bool:
    """Return whether NotUndef is within the type; without undef in it, its inner type counts."""
    inner = actual.type
    if inner is None or assignable(inner, m.UNDEF, guard):
        return within(expected, actual, guard)
    return assignable(expected, inner, guard)


SPLIT: dict[type[Type], Relation] = {
    m.UnitType: from_unit,
    m.TypeAliasType: from_alias,
    m.VariantType: from_variant,
    m.OptionalType: from_optional,
    m.NotUndefType: from_not_undef,
}


def uri_parts(type_: m.URIType) -> dict[str, Any]:
    """Return the parts of a URI type; the port of a type made from a whole URI is text."""
    parts = dict(type_.parts)
    port = parts.get("port")
    if port.__class__ is str:
        parts["port"] = int(port)
    return parts
