"""The common type of two types, and types without their limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.types import model as m
from bunraku.types.builtin import DATA, RICH_DATA
from bunraku.types.model import Type
from bunraku.types.relations.assignable import is_assignable


def common_type(left: Type, right: Type) -> Type:
    """Return the narrowest type that Puppet finds for both types.

    >>> common_type(m.IntegerType(1, 1), m.IntegerType(5, 5))
    IntegerType(low=1, high=5)
    >>> common_type(m.IntegerType(1, 1), m.StringType())
    ScalarDataType()
    """
    if isinstance(left, m.UndefType):
        return right
    if isinstance(right, m.UndefType | m.UnitType):
        return left
    if isinstance(left, m.UnitType):
        return right
    if is_assignable(left, right):
        return left
    if is_assignable(right, left):
        return right
    if isinstance(left, m.VariantType) and isinstance(right, m.VariantType):
        return m.VariantType(tuple(dict.fromkeys((*left.types, *right.types))))
    rule = RULES.get((left.__class__, right.__class__))
    found = rule(left, right) if rule is not None else None
    return found if found is not None else common_abstract(left, right)


def common_abstract(left: Type, right: Type) -> Type:
    """Return the first of the abstract types that accepts both types."""
    for wide in (m.NUMERIC, m.SCALAR_DATA, m.SCALAR, DATA):
        if is_assignable(wide, left) and is_assignable(wide, right):
            return wide
    catalog = (m.ResourceType, m.ClassType)
    if isinstance(left, catalog) and left.__class__ is right.__class__:
        return left.__class__()
    if is_assignable(RICH_DATA, left) and is_assignable(RICH_DATA, right):
        return RICH_DATA
    return m.ANY


# -- pairs of one class --------------------------------------------------------------------------


def lowest(left: Any, right: Any) -> Any:
    """Return the lower of two lower limits; None means no limit."""
    return None if left is None or right is None else min(left, right)


def highest(left: Any, right: Any) -> Any:
    """Return the higher of two upper limits; None means no limit."""
    return None if left is None or right is None else max(left, right)


def common_range(left: Any, right: Any) -> Type:
    """Return the range that covers both."""
    wide: Type = left.__class__(lowest(left.low, right.low), highest(left.high, right.high))
    return wide


def common_bare(left: Type, _right: Type) -> Type:
    """Return the type without parameters."""
    return left.__class__()


def common_string(left: m.StringType, right: m.StringType) -> Type:
    """Return an Enum of two texts, or a String whose length range covers both."""
    if left.value is not None and right.value is not None:
        return m.EnumType(tuple(sorted({left.value, right.value})))
    left_low, left_high = string_size(left)
    right_low, right_high = string_size(right)
    return m.StringType(lowest(left_low, right_low), highest(left_high, right_high))


def string_size(type_: m.StringType) -> tuple[int, int | None]:
    """Return the limits of the length."""
    if type_.value is not None:
        return len(type_.value), len(type_.value)
    return type_.low or 0, type_.high


def common_enum(left: m.EnumType, right: m.EnumType) -> Type:
    """Return an Enum of all strings, case-insensitive if both are."""
    values = tuple(sorted({*left.values, *right.values}))
    return m.EnumType(values, left.case_insensitive and right.case_insensitive)


def common_enum_string(left: m.EnumType, right: m.StringType) -> Type:
    """Return the Enum with the text added; the bare Enum for other Strings, as in Puppet."""
    if right.value is None:
        return m.EnumType()
    return m.EnumType(tuple(sorted({*left.values, right.value})), left.case_insensitive)


RULES: dict[tuple[type[Type], type[Type]], Callable[[Any, Any], Type | None]] = {
    (m.IntegerType, m.IntegerType): common_range,
    (m.FloatType, m.FloatType): common_range,
    (m.StringType, m.StringType): common_string,
    (m.EnumType, m.EnumType): common_enum,
    (m.EnumType, m.StringType): common_enum_string,
    (m.StringType, m.EnumType): lambda left, right: common_enum_string(right, left),
    (m.PatternType, m.PatternType): lambda left, right: m.PatternType(
        tuple(dict.fromkeys((*left.patterns, *right.patterns)))
    ),
    (m.RegexpType, m.RegexpType): common_bare,
    # Sizes are lost.
    (m.ArrayType, m.ArrayType): lambda left, right: m.ArrayType(
        common_type(left.element, right.element)
    ),
    (m.HashType, m.HashType): lambda left, right: m.HashType(
        common_type(left.key, right.key), common_type(left.value, right.value)
    ),
    (m.TypeType, m.TypeType): lambda left, right: m.TypeType(common_type(left.inner, right.inner)),
    (m.ResourceType, m.ResourceType): lambda left, right: m.ResourceType(
        left.type_name if left.type_name == right.type_name else None
    ),
    (m.ClassType, m.ClassType): common_bare,
    (m.RuntimeType, m.RuntimeType): lambda left, right: (
        m.RuntimeType(left.runtime) if left.runtime == right.runtime else None
    ),
    (m.CallableType, m.CallableType): common_bare,
}
"""The common type of two types of these classes; None if it is an abstract one."""


# -- without limits ------------------------------------------------------------------------------


def generalize(type_: Type) -> Type:
    """Return a type without limits, sizes and single values.

    >>> generalize(m.ArrayType(m.IntegerType(1, 1), 1, 1))
    ArrayType(element=IntegerType(low=None, high=None), low=None, high=None)
    """
    rule = GENERAL.get(type_.__class__)
    return type_ if rule is None else rule(type_)


def general_enum(type_: m.EnumType) -> Type:
    """Return a String with the range of the lengths found."""
    if not type_.values:
        return m.StringType()
    lengths = [len(value) for value in type_.values]
    return m.StringType(min(lengths), max(lengths))


def general_hash(type_: m.HashType) -> Type:
    """Return the hash type generalized; the empty hash type is unchanged."""
    if type_.high == 0:
        return type_
    return m.HashType(generalize(type_.key), generalize(type_.value))


def general_struct(type_: m.StructType) -> Type:
    """Return the type with each element type generalized."""
    return m.StructType(
        tuple(
            m.StructElement(item.name, generalize(item.type), item.optional)
            for item in type_.elements
        )
    )


def general_variant(type_: m.VariantType) -> Type:
    """Return a Variant of the distinct generalized types, or the only one."""
    types = tuple(dict.fromkeys(map(generalize, type_.types)))
    return types[0] if len(types) == 1 else m.VariantType(types)


def general_callable(type_: m.CallableType) -> Type:
    """Return the Callable with its parameters, block and result generalized."""
    if type_.parameters is None:
        return type_
    parameters = tuple(map(generalize, type_.parameters))
    block = None if type_.block is None else generalize(type_.block)
    returned = None if type_.return_type is None else generalize(type_.return_type)
    shown = type_.size_shown
    return m.CallableType(
        parameters, type_.low, type_.high, block, returned, type_.names, size_shown=shown
    )


def general_inner(type_: Any) -> Type:
    """Return the type with its inner type generalized."""
    if type_.type is None:
        found: Type = type_
        return found
    around: Type = type_.__class__(generalize(type_.type))
    return around


def general_bare(type_: Type) -> Type:
    """Return the type without parameters."""
    return type_.__class__()


GENERAL: dict[type[Type], Callable[[Any], Type]] = {
    m.IntegerType: general_bare,
    m.FloatType: general_bare,
    m.BooleanType: general_bare,
    m.StringType: general_bare,
    m.EnumType: general_enum,
    m.TimespanType: general_bare,
    m.TimestampType: general_bare,
    m.URIType: general_bare,
    m.CollectionType: general_bare,
    m.ArrayType: lambda type_: m.ArrayType(generalize(type_.element)),
    m.HashType: general_hash,
    m.TupleType: lambda type_: m.TupleType(
        tuple(map(generalize, type_.types)), type_.low, type_.high
    ),
    m.StructType: general_struct,
    m.VariantType: general_variant,
    m.CallableType: general_callable,
    m.ObjectExtensionType: lambda type_: type_.base,
    m.OptionalType: general_inner,
    m.NotUndefType: general_inner,
    m.TypeType: general_inner,
    m.SensitiveType: general_inner,
    m.IterableType: general_inner,
    m.IteratorType: general_inner,
}
