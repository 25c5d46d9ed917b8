"""Whether a value can be of two types at once: ``can_overlap(expected, actual)``.

The answer False is certain. Where the relation of two types is not known, the answer is True. Unit
stands for a part that is not known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.types import model as m
from bunraku.types.model import Type
from bunraku.types.relations.assignable import is_assignable

DEEPEST = 12
"""Most nested types that are compared; aliases may contain themselves."""
ANY_STRING = m.StringType()
SCALAR_DATA = (ANY_STRING, m.IntegerType(), m.FloatType(), m.BooleanType())
SCALAR = (
    *SCALAR_DATA,
    m.RegexpType(),
    m.SemVerType(),
    m.SEMVER_RANGE,
    m.TimespanType(),
    m.TimestampType(),
)
KINDS: dict[type[Type], str] = {
    m.UndefType: "undef",
    m.DefaultType: "default",
    m.StringType: "string",
    m.EnumType: "string",
    m.PatternType: "string",
    m.IntegerType: "integer",
    m.FloatType: "float",
    m.BooleanType: "boolean",
    m.RegexpType: "regexp",
    m.SemVerType: "version",
    m.SemVerRangeType: "version range",
    m.TimespanType: "timespan",
    m.TimestampType: "timestamp",
    m.BinaryType: "binary",
    m.URIType: "uri",
    m.ArrayType: "array",
    m.TupleType: "array",
    m.HashType: "hash",
    m.StructType: "hash",
    m.SensitiveType: "sensitive",
    m.TypeType: "type",
    m.CallableType: "callable",
}
"""The classes of types whose values are of one kind that no other kind has."""
NEVER_ITERABLE = frozenset(
    {"undef", "default", "float", "boolean", "regexp", "sensitive", "version"}
)


def can_overlap(expected: Type, actual: Type) -> bool:
    """Return whether some value may be of both types.

    >>> from bunraku.types.parse import parse_type
    >>> can_overlap(parse_type("Variant[Integer, Array[Integer]]"), parse_type("String"))
    False
    >>> can_overlap(parse_type("Integer[1, 5]"), parse_type("Integer[5]"))
    True
    """
    return overlap(expected, actual, 0)


def overlap(left: Type, right: Type, depth: int) -> bool:
    """Return the relation itself; ``depth`` counts the types around."""
    if depth > DEEPEST:
        return True
    choices = options(right, depth)
    return any(
        pair_overlaps(one, other, depth) for one in options(left, depth) for other in choices
    )


def options(type_: Type, depth: int) -> list[Type]:
    """Return the types of which a type is the union.

    >>> options(m.OptionalType(m.NUMERIC), 0)
    [UndefType(), IntegerType(low=None, high=None), FloatType(low=None, high=None)]
    """
    if depth > DEEPEST:
        return [m.ANY]
    match type_:
        case m.TypeAliasType(definition=definition):
            return [m.ANY] if definition is None else options(definition, depth + 1)
        case m.VariantType(types=()) | m.OptionalType(type=None):
            return [m.ANY]  # parameters of such a type take any value
        case m.VariantType(types=types):
            return [item for one in types for item in options(one, depth + 1)]
        case m.OptionalType(type=inner) if inner is not None:
            return [m.UNDEF, *options(inner, depth + 1)]
        case m.NotUndefType():
            return [not_undef(one) for one in options(type_.inner, depth + 1) if one != m.UNDEF]
        case m.NumericType():
            return [m.IntegerType(), m.FloatType()]
        case m.ScalarDataType():
            return list(SCALAR_DATA)
        case m.ScalarType():
            return list(SCALAR)
        case m.CollectionType(low=low, high=high):
            return [m.ArrayType(m.ANY, low, high), m.HashType(m.ANY, m.ANY, low, high)]
    return [type_]


def not_undef(type_: Type) -> Type:
    """Return a type without undef, which only Any and types like it have besides."""
    return type_ if type_.__class__ in KINDS else m.NotUndefType(type_)


def pair_overlaps(left: Type, right: Type, depth: int) -> bool:
    """Return whether two types, neither of them a union, may have a value in common."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, m.NotUndefType):
            return not isinstance(other, m.UndefType)
        if isinstance(one, m.IterableType) and KINDS.get(other.__class__) in NEVER_ITERABLE:
            return False
    kind, other_kind = KINDS.get(left.__class__), KINDS.get(right.__class__)
    if kind is None or other_kind is None:
        return True
    if kind != other_kind:
        return False
    relation = SAME_KIND.get(kind)
    return relation is None or relation(left, right, depth)


def strings_overlap(left: Any, right: Any, _depth: int) -> bool:
    """Return whether a text may be of two types of strings."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, m.StringType) and one.value is not None:
            return is_assignable(other, one)
        if isinstance(one, m.EnumType) and one.values and not one.case_insensitive:
            return any(is_assignable(other, m.StringType(value=text)) for text in one.values)
    if isinstance(left, m.StringType) and isinstance(right, m.StringType):
        return ranges_overlap(left.low or 0, left.high, right.low or 0, right.high)
    return True


def ranges_overlap(low: Any, high: Any, other_low: Any, other_high: Any) -> bool:
    """Return whether two closed ranges have a value in common; None means no limit.

    >>> ranges_overlap(1, 2, 2, None), ranges_overlap(1, 2, 3, None)
    (True, False)
    """
    if high is not None and other_low is not None and other_low > high:
        return False
    return other_high is None or low is None or low <= other_high


def numbers_overlap(left: Any, right: Any, _depth: int) -> bool:
    """Return whether two ranges of numbers have one in common."""
    return ranges_overlap(left.low, left.high, right.low, right.high)


def booleans_overlap(left: Any, right: Any, _depth: int) -> bool:
    """Return whether two Booleans may be the same."""
    return None in (left.value, right.value) or left.value is right.value


def arrays_overlap(left: Any, right: Any, depth: int) -> bool:
    """Return whether sizes overlap, and the elements that both must have."""
    low, high = size_bounds(left)
    other_low, other_high = size_bounds(right)
    if not ranges_overlap(low, high, other_low, other_high):
        return False
    least = min(max(low, other_low), DEEPEST * 10)
    return all(
        overlap(element(left, position), element(right, position), depth + 1)
        for position in range(least)
    )


def size_bounds(type_: m.ArrayType | m.TupleType) -> tuple[int, int | None]:
    """Return the least and the greatest number of elements."""
    return type_.bounds if isinstance(type_, m.TupleType) else (type_.minimum, type_.high)


def element(type_: m.ArrayType | m.TupleType, position: int) -> Type:
    """Return the type of an element; the last type of a Tuple repeats."""
    if isinstance(type_, m.ArrayType):
        return type_.element
    return type_.types[min(position, len(type_.types) - 1)] if type_.types else m.ANY


def hashes_overlap(left: Any, right: Any, depth: int) -> bool:
    """Return whether sizes overlap, and the entries that both must have."""
    if isinstance(left, m.HashType) and isinstance(right, m.HashType):
        if not ranges_overlap(left.minimum, left.high, right.minimum, right.high):
            return False
        if max(left.minimum, right.minimum) == 0:
            return True
        return overlap(left.key, right.key, depth + 1) and overlap(
            left.value, right.value, depth + 1
        )
    if isinstance(left, m.StructType) and isinstance(right, m.StructType):
        return has_entries_of(left, right, depth) and has_entries_of(right, left, depth)
    struct, other = (left, right) if isinstance(left, m.StructType) else (right, left)
    return struct_overlaps_hash(struct, other, depth)


def has_entries_of(struct: m.StructType, other: m.StructType, depth: int) -> bool:
    """Return whether a Struct can have all entries that another must have."""
    for entry in other.elements:
        own = struct.element(entry.name)
        if not entry.optional and own is None:
            return False
        if own is not None and not (entry.optional and own.optional):
            if not overlap(own.type, entry.type, depth + 1):
                return False
    return True


def struct_overlaps_hash(struct: m.StructType, other: m.HashType, depth: int) -> bool:
    """Return whether a Hash can have all entries that a Struct must have."""
    if not ranges_overlap(struct.required, len(struct.elements), other.minimum, other.high):
        return False
    return all(
        overlap(other.key, m.StringType(value=entry.name), depth + 1)
        and overlap(other.value, entry.type, depth + 1)
        for entry in struct.elements
        if not entry.optional
    )


def secrets_overlap(left: Any, right: Any, depth: int) -> bool:
    """Return whether the content of two secrets may be the same."""
    return overlap(left.inner, right.inner, depth + 1)


SAME_KIND: dict[str, Callable[[Any, Any, int], bool]] = {
    "string": strings_overlap,
    "integer": numbers_overlap,
    "float": numbers_overlap,
    "boolean": booleans_overlap,
    "array": arrays_overlap,
    "hash": hashes_overlap,
    "sensitive": secrets_overlap,
}
"""By the kind of both types; types of the other kinds may overlap."""


# -- for messages --------------------------------------------------------------------------------


def wrong_parts(expected: Type, actual: Type) -> Type:
    """Return the actual type with Unit for those elements and entries that may fit.

    >>> from bunraku.types.parse import parse_type
    >>> wrong_parts(parse_type("Array[Integer[1, 9]]"), parse_type("Tuple[Integer, String]"))
    TupleType(types=(UnitType(), StringType(low=None, high=None, value=None)), low=None, high=None)
    """
    wanted = container(expected)
    if isinstance(actual, m.TupleType) and isinstance(wanted, m.ArrayType | m.TupleType):
        parts = (wrong_part(element(wanted, place), one) for place, one in enumerate(actual.types))
        return m.TupleType(tuple(parts), actual.low, actual.high)
    if isinstance(actual, m.StructType) and isinstance(wanted, m.HashType | m.StructType):
        return m.StructType(
            tuple(
                m.StructElement(one.name, wrong_part(entry(wanted, one.name), one.type))
                for one in actual.elements
            )
        )
    return actual


def wrong_path(expected: Type, actual: Type) -> tuple[str | int, ...]:
    """Return the way to the first element or entry that does not fit; empty if it is the whole.

    >>> from bunraku.types.parse import parse_type
    >>> wrong_path(
    ...     parse_type("Hash[String, Array[Integer]]"), parse_type("Struct[{a => Tuple[String]}]")
    ... )
    ('a', 0)
    """
    wanted = container(expected)
    if isinstance(actual, m.TupleType) and isinstance(wanted, m.ArrayType | m.TupleType):
        for place, one in enumerate(actual.types):
            if not can_overlap(element(wanted, place), one):
                return place, *wrong_path(element(wanted, place), one)
    if isinstance(actual, m.StructType) and isinstance(wanted, m.HashType | m.StructType):
        for item in actual.elements:
            if not can_overlap(entry(wanted, item.name), item.type):
                return item.name, *wrong_path(entry(wanted, item.name), item.type)
    return ()


Container = m.ArrayType | m.TupleType | m.HashType | m.StructType


def container(type_: Type) -> Container | None:
    """Return the one container type among the options of a type."""
    found = [one for one in options(type_, 0) if isinstance(one, Container)]
    return found[0] if len(found) == 1 else None


def entry(type_: m.HashType | m.StructType, name: str) -> Type:
    """Return the type of an entry."""
    if isinstance(type_, m.HashType):
        return type_.value
    found = type_.element(name)
    return m.ANY if found is None else found.type


def wrong_part(expected: Type, actual: Type) -> Type:
    """Return the type of a part, or Unit if it may fit."""
    return m.UNIT if can_overlap(expected, actual) else wrong_parts(expected, actual)
