"""Types in their simplest form: nested Optionals and Variants flattened, parts joined."""

from __future__ import annotations

from typing import Any

from bunraku.types import model as m
from bunraku.types.model import Type
from bunraku.types.relations.assignable import is_assignable


def normalize(type_: Type) -> Type:
    """Return the simplest type with the same values.

    >>> normalize(m.VariantType((m.EnumType(("a",)), m.EnumType(("b",)))))
    EnumType(values=('a', 'b'), case_insensitive=False)
    >>> normalize(m.OptionalType(m.OptionalType(m.NUMERIC)))
    OptionalType(type=NumericType())
    """
    match type_:
        case m.VariantType(types=types):
            return normalize_variant(types) if types else type_
        case m.OptionalType(type=inner) if inner is not None:
            return normalize_optional(normalize(inner))
        case m.NotUndefType(type=inner) if inner is not None:
            return normalize_not_undef(normalize(inner))
        case m.ArrayType():
            return m.ArrayType(normalize(type_.element), type_.low, type_.high)
        case m.HashType():
            return m.HashType(normalize(type_.key), normalize(type_.value), type_.low, type_.high)
        case m.TupleType(types=types):
            return m.TupleType(tuple(map(normalize, types)), type_.low, type_.high)
        case m.StructType(elements=elements):
            return m.StructType(
                tuple(
                    m.StructElement(item.name, normalize(item.type), item.optional)
                    for item in elements
                )
            )
        case (
            m.TypeType(type=inner)
            | m.SensitiveType(type=inner)
            | m.IterableType(type=inner)
            | m.IteratorType(type=inner)
        ) if inner is not None:
            return type_.__class__(normalize(inner))
    return type_


def normalize_optional(inner: Type) -> Type:
    """Return Optional around a type in its simplest form."""
    if isinstance(inner, m.OptionalType | m.AnyType | m.UndefType):
        return inner
    if isinstance(inner, m.NotUndefType) and inner.type is not None:
        return m.OptionalType(inner.type)
    if is_assignable(inner, m.UNDEF):
        return inner
    return m.OptionalType(inner)


def normalize_not_undef(inner: Type) -> Type:
    """Return NotUndef around a type in its simplest form."""
    if isinstance(inner, m.OptionalType | m.NotUndefType):
        return m.NotUndefType(inner.type)
    if is_assignable(inner, m.UNDEF):
        return m.NotUndefType(inner)
    return inner


def flatten(types: tuple[Type, ...]) -> list[Type]:
    """Return the types of nested Variants and Optionals, each once, undef among them."""
    found: dict[Type, None] = {}
    for item in map(normalize, types):
        if isinstance(item, m.VariantType) and item.types:
            found.update(dict.fromkeys(item.types))
        elif isinstance(item, m.OptionalType) and item.type is not None:
            found[m.UNDEF] = None
            found.update(dict.fromkeys(flatten((item.type,))))
        else:
            found[item] = None
    return list(found)


def normalize_variant(types: tuple[Type, ...]) -> Type:
    """Return the simplest form of a Variant: an Optional if undef is among its types."""
    flat = flatten(types)
    has_undef = any(isinstance(item, m.UndefType) for item in flat)
    flat = [item for item in flat if not isinstance(item, m.UndefType)]
    if not flat:
        return m.UNDEF
    joined = join_booleans(join_ranges(join_patterns(join_strings(flat))))
    kept = drop_covered(joined)
    inner = kept[0] if len(kept) == 1 else m.VariantType(tuple(kept))
    return normalize_optional(inner) if has_undef else inner


def join_strings(types: list[Type]) -> list[Type]:
    """Return all Enums (and single texts) of one kind as one Enum, in the place of the first."""
    for ignoring_case in (False, True):
        chosen = [item for item in types if is_enum(item, ignoring_case)]
        if len(chosen) > 1:
            values = sorted({value for item in chosen for value in enum_values(item)})
            types = replace(types, chosen, m.EnumType(tuple(values), ignoring_case))
    return types


def is_enum(type_: Type, ignoring_case: bool) -> bool:
    """Return whether a type is a set of texts with the given case sensitivity."""
    if isinstance(type_, m.StringType):
        return type_.value is not None and not ignoring_case
    if not isinstance(type_, m.EnumType):
        return False
    return bool(type_.values) and type_.case_insensitive is ignoring_case


def enum_values(type_: Any) -> tuple[str, ...]:
    """Return the texts of an Enum or of a String with a value."""
    values: tuple[str, ...] = type_.values if isinstance(type_, m.EnumType) else (type_.value,)
    return values


def join_patterns(types: list[Type]) -> list[Type]:
    """Return all Patterns as one."""
    chosen = [item for item in types if isinstance(item, m.PatternType) and item.patterns]
    if len(chosen) < 2:
        return types
    patterns = dict.fromkeys(pattern for item in chosen for pattern in item.patterns)
    return replace(types, chosen, m.PatternType(tuple(patterns)))


def join_ranges(types: list[Type]) -> list[Type]:
    """Return the types with overlapping or adjoining number and time ranges joined."""
    for kind in (m.IntegerType, m.FloatType, m.TimespanType, m.TimestampType):
        chosen: list[Any] = [item for item in types if isinstance(item, kind)]
        if len(chosen) < 2:
            continue
        merged = merge_ranges(chosen, kind is m.IntegerType)
        if len(merged) < len(chosen):
            at = types.index(chosen[0])
            rest = [item for item in types if not isinstance(item, kind)]
            at = min(at, len(rest))
            types = [*rest[:at], *merged, *rest[at:]]
    return types


def merge_ranges(ranges: list[Any], whole: bool) -> list[Type]:
    """Return the ranges sorted and joined; whole numbers also if they only adjoin."""
    unlimited = [item for item in ranges if item.low is None]
    limited = sorted((item for item in ranges if item.low is not None), key=lambda r: r.low)
    merged: list[Any] = []
    for item in [*unlimited, *limited]:
        if merged and touches(merged[-1], item, whole):
            last = merged[-1]
            high = None if None in (last.high, item.high) else max(last.high, item.high)
            merged[-1] = item.__class__(last.low, high)
        else:
            merged.append(item)
    return merged


def touches(first: Any, second: Any, whole: bool) -> bool:
    """Return whether a range adjoins or overlaps the one sorted before it."""
    if first.high is None or second.low is None:
        return True
    return bool(second.low <= (first.high + 1 if whole else first.high))


def join_booleans(types: list[Type]) -> list[Type]:
    """Return the types with ``Boolean[true]`` and ``Boolean[false]`` joined to Boolean."""
    chosen = [item for item in types if isinstance(item, m.BooleanType)]
    if {item.value for item in chosen} >= {True, False}:
        return replace(types, list(chosen), m.BooleanType())
    return types


def replace(types: list[Type], chosen: list[Any], joined: Type) -> list[Type]:
    """Return the types with several of them replaced by one."""
    at = types.index(chosen[0])
    return [
        *types[:at],
        joined,
        *(item for item in types[at + 1 :] if item not in chosen),
    ]


def drop_covered(types: list[Type]) -> list[Type]:
    """Return the types without those that another type of the list covers."""
    kept: list[Type] = []
    for item in types:
        if any(is_assignable(other, item) for other in kept):
            continue
        kept = [other for other in kept if not is_assignable(item, other)]
        kept.append(item)
    return kept
