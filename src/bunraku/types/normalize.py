"""Types as Puppet shows those of aliases: nested Optionals and Variants are flattened, parts joined.

The rules and the order of the parts are those of ``normalize`` in Puppet's ``pops/types/types.rb``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.base.records import replace
from bunraku.types import model as m
from bunraku.types.model import Type
from bunraku.types.relations.assignable import is_assignable


def normalize(type_: Type) -> Type:
    """Return a type in Puppet's normal form; the same object if it is in that form.

    >>> normalize(m.VariantType((m.IntegerType(1, 2), m.IntegerType(2, 5))))
    IntegerType(low=1, high=5)
    >>> normalize(m.OptionalType(m.OptionalType(m.NUMERIC)))
    OptionalType(type=NumericType())
    """
    rule = RULES.get(type_.__class__)
    return type_ if rule is None else rule(type_)


def normalize_all(types: tuple[Type, ...]) -> tuple[Type, ...]:
    """Return types in their normal form; the same tuple if all are in that form."""
    found = tuple(map(normalize, types))
    return types if all(map(identical, found, types)) else found


def identical(first: object, second: object) -> bool:
    """Return whether two objects are the same one."""
    return first is second


# -- types with parts ------------------------------------------------------------------------------


def normalize_wrapper(type_: Any) -> Type:
    """Return the normal form of a type with one type inside."""
    whole: Type = type_
    if type_.type is None:
        return whole
    inner = normalize(type_.type)
    return whole if inner is type_.type else type_.__class__(inner)


def normalize_optional(type_: m.OptionalType) -> Type:
    """Return the normal form of an Optional: the type inside if that accepts undef."""
    found: Any = normalize_wrapper(type_)
    if found.type is None:
        return type_
    if isinstance(found.type, m.NotUndefType):
        return normalize(m.OptionalType(found.type.type))
    inner: Type = found.type
    return inner if is_assignable(inner, m.UNDEF) else m.OptionalType(inner)


def normalize_not_undef(type_: m.NotUndefType) -> Type:
    """Return the normal form of a NotUndef: the type inside if that does not accept undef."""
    found: Any = normalize_wrapper(type_)
    if found.type is None:
        return type_
    if isinstance(found.type, m.OptionalType):
        return normalize(m.NotUndefType(found.type.type))
    inner: Type = found.type
    return m.NotUndefType(inner) if is_assignable(inner, m.UNDEF) else inner


def normalize_collection(type_: m.CollectionType) -> Type:
    """Return the bare Collection: Puppet drops its size."""
    return m.CollectionType() if type_.low is not None or type_.high is not None else type_


def normalize_array(type_: m.ArrayType) -> Type:
    """Return the normal form of an Array: Puppet drops the size of one of any elements."""
    if isinstance(type_.element, m.AnyType):
        return m.ArrayType() if type_.low is not None or type_.high is not None else type_
    element = normalize(type_.element)
    return type_ if element is type_.element else replace(type_, element=element)


def normalize_hash(type_: m.HashType) -> Type:
    """Return the normal form of a Hash."""
    key, value = normalize(type_.key), normalize(type_.value)
    same = key is type_.key and value is type_.value
    return type_ if same else m.HashType(key, value, type_.low, type_.high)


def normalize_tuple(type_: m.TupleType) -> Type:
    """Return the normal form of a Tuple."""
    types = normalize_all(type_.types)
    return type_ if types is type_.types else replace(type_, types=types)


def normalize_struct(type_: m.StructType) -> Type:
    """Return the normal form of a Struct."""
    values = [normalize(item.type) for item in type_.elements]
    if all(value is item.type for value, item in zip(values, type_.elements, strict=True)):
        return type_
    elements = [
        replace(item, type=value) for value, item in zip(values, type_.elements, strict=True)
    ]
    return m.StructType(tuple(elements))


def normalize_callable(type_: m.CallableType) -> Type:
    """Return the normal form of a Callable."""
    parameters = None if type_.parameters is None else normalize_all(type_.parameters)
    block = None if type_.block is None else normalize(type_.block)
    returned = None if type_.return_type is None else normalize(type_.return_type)
    if parameters is type_.parameters and block is type_.block and returned is type_.return_type:
        return type_
    return replace(type_, parameters=parameters, block=block, return_type=returned)


# -- Variants --------------------------------------------------------------------------------------


def variant_of(types: list[Type]) -> Type:
    """Return a Variant without repeated types and without Variants directly in it; a single type alone."""
    unique = list(dict.fromkeys(flattened(types)))
    return unique[0] if len(unique) == 1 else m.VariantType(tuple(unique))


def flattened(types: list[Type]) -> list[Type]:
    """Return types with the types of Variants among them in their places."""
    found: list[Type] = []
    for item in types:
        found += item.types if isinstance(item, m.VariantType) else [item]
    return found


def normalize_variant(type_: m.VariantType) -> Type:
    """Return the normal form of a Variant: an Optional if undef is among its types."""
    types = normalize_all(type_.types)
    if len(types) <= 1:
        return types[0] if types else type_
    if any(isinstance(item, m.UndefType) or is_optional(item) for item in types):
        return normalize(m.OptionalType(variant_of(list(without_undef(types)))))
    flat = flattened(list(types))
    joined = flat
    for join in JOINS:
        joined = join(joined)
    if len(joined) == 1:
        return joined[0]
    changed = types is not type_.types or len(joined) != len(flat)
    return variant_of(joined) if changed else type_


def is_optional(type_: Type) -> bool:
    """Return whether a type is an Optional with a type inside."""
    return isinstance(type_, m.OptionalType) and type_.type is not None


def without_undef(types: tuple[Type, ...]) -> list[Type]:
    """Return the types without Undef, and the types inside of Optionals."""
    found: list[Type] = []
    for item in types:
        if isinstance(item, m.OptionalType) and item.type is not None:
            found.append(item.type)
        elif not isinstance(item, m.UndefType):
            found.append(item)
    return found


def joined_as_last(
    types: list[Type], chosen: Callable[[Any], bool], join: Callable[[list[Any]], Type]
) -> list[Type]:
    """Return the types with several of one kind joined to one, which comes last."""
    parts = [item for item in types if chosen(item)]
    if len(parts) < 2:
        return types
    return [*(item for item in types if not chosen(item)), join(parts)]


def join_not_undefs(types: list[Type]) -> list[Type]:
    """Return the types with all NotUndefs joined."""
    return joined_as_last(
        types,
        lambda item: isinstance(item, m.NotUndefType) and item.type is not None,
        lambda parts: m.NotUndefType(normalize(variant_of([item.type for item in parts]))),
    )


def join_enums(types: list[Type]) -> list[Type]:
    """Return the types with all Enums and single texts joined, and those that ignore case."""
    types = joined_as_last(
        types,
        is_set_of_texts,
        lambda parts: m.EnumType(tuple(sorted({text for one in parts for text in texts(one)}))),
    )
    return joined_as_last(
        types,
        lambda item: isinstance(item, m.EnumType) and bool(item.values) and item.case_insensitive,
        lambda parts: m.EnumType(
            tuple(sorted({text.lower() for one in parts for text in one.values})), True
        ),
    )


def is_set_of_texts(type_: Any) -> bool:
    """Return whether a type is a set of texts, with their case."""
    if isinstance(type_, m.StringType):
        return type_.value is not None
    return isinstance(type_, m.EnumType) and bool(type_.values) and not type_.case_insensitive


def texts(type_: Any) -> tuple[str, ...]:
    """Return the texts of an Enum or of a String with a value."""
    found: tuple[str, ...] = type_.values if isinstance(type_, m.EnumType) else (type_.value,)
    return found


def join_patterns(types: list[Type]) -> list[Type]:
    """Return the types with all Patterns joined."""
    return joined_as_last(
        types,
        lambda item: isinstance(item, m.PatternType),
        lambda parts: m.PatternType(
            tuple(dict.fromkeys(pattern for one in parts for pattern in one.patterns))
        ),
    )


def join_versions(types: list[Type]) -> list[Type]:
    """Return the types with all ranges of versions joined; these come first."""
    parts = [item for item in types if isinstance(item, m.SemVerType)]
    if len(parts) < 2:
        return types
    ranges = tuple(found for one in parts for found in one.ranges)
    return [m.SemVerType(ranges), *(item for item in types if item not in parts)]


def join_ranges_of(kind: Any, *, whole: bool = False) -> Callable[[list[Type]], list[Type]]:
    """Return a function that joins the overlapping ranges of a kind; these come first."""

    def join(types: list[Type]) -> list[Type]:
        parts = [item for item in types if isinstance(item, kind)]
        if len(parts) < 2:
            return types
        return [*merged(parts, whole), *(item for item in types if not isinstance(item, kind))]

    return join


def merged(ranges: list[Any], whole: bool) -> list[Type]:
    """Return ranges with those joined that overlap; the last one is the first of the result."""
    found: list[Type] = []
    while ranges:
        *others, current = ranges
        ranges = []
        for other in others:
            if adjoin(current, other, whole) or adjoin(other, current, whole):
                current = union(current, other)
            else:
                ranges.append(other)
        found.append(current)
    return found


def adjoin(first: Any, second: Any, whole: bool) -> bool:
    """Return whether the second range begins in the first one; a whole number later is enough too."""
    starts = first.low is None or (second.low is not None and second.low >= first.low)
    if not starts:
        return False
    if first.high is None or second.low is None:
        return True
    return bool(second.low <= (first.high + 1 if whole else first.high))


def union(first: Any, second: Any) -> Type:
    """Return the range from the lower of two limits to the upper one."""
    low = None if None in (first.low, second.low) else min(first.low, second.low)
    high = None if None in (first.high, second.high) else max(first.high, second.high)
    found: Type = first.__class__(low, high)
    return found


JOINS = (
    join_not_undefs,
    join_enums,
    join_patterns,
    join_versions,
    join_ranges_of(m.IntegerType, whole=True),
    join_ranges_of(m.FloatType),
    join_ranges_of(m.TimespanType),
    join_ranges_of(m.TimestampType),
)
RULES: dict[type[Type], Callable[[Any], Type]] = {
    m.VariantType: normalize_variant,
    m.OptionalType: normalize_optional,
    m.NotUndefType: normalize_not_undef,
    m.CollectionType: normalize_collection,
    m.ArrayType: normalize_array,
    m.HashType: normalize_hash,
    m.TupleType: normalize_tuple,
    m.StructType: normalize_struct,
    m.CallableType: normalize_callable,
    m.TypeType: normalize_wrapper,
    m.SensitiveType: normalize_wrapper,
    m.IterableType: normalize_wrapper,
    m.IteratorType: normalize_wrapper,
}
