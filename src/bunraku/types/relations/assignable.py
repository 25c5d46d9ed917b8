"""Whether every value of one type is a value of another: ``is_assignable(expected, actual)``."""

# ruff: noqa: ARG001 - rules of one table have one signature

from __future__ import annotations

from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.types import model as m
from bunraku.types.builtin import RICH_DATA
from bunraku.types.init import new_signatures
from bunraku.types.model import Type
from bunraku.types.relations.dispatch import (
    NO_GUARD,
    RELATIONS,
    Guard,
    Relation,
    assignable,
    uri_parts,
)
from bunraku.values.regexp.regexp import Regexp

ONE_CHARACTER = m.StringType(1, 1)
STRING = m.StringType()
TRUE_INTEGER = m.IntegerType()


def is_assignable(expected: Type, actual: Type) -> bool:
    """Return whether ``actual`` is ``expected`` or within it.

    >>> is_assignable(m.NUMERIC, m.IntegerType(1, 5))
    True
    >>> is_assignable(m.IntegerType(1, 5), m.IntegerType())
    False
    """
    return assignable(expected, actual, NO_GUARD)


# -- abstract types ------------------------------------------------------------------------------


def to_everything(expected: Type, actual: Type, guard: Guard) -> bool:
    """Return True: Any and Unit accept every type."""
    return True


def to_same_class(expected: Type, actual: Type, guard: Guard) -> bool:
    """Return whether the types have the same class; such types have no parameters."""
    return actual.__class__ is expected.__class__


def to_alias(expected: Any, actual: Type, guard: Guard) -> bool:
    """Return whether the alias's definition accepts the type; True for a pair in progress."""
    pair = (id(expected), id(actual))
    if pair in guard:
        return True
    if expected.definition is None:
        return False
    return assignable(expected.definition, actual, guard | {pair})


def to_not_undef(expected: Any, actual: Type, guard: Guard) -> bool:
    """Return whether the type excludes undef and matches the inner type."""
    if isinstance(actual, m.NotUndefType):
        wanted = actual if isinstance(expected.type, m.NotUndefType) else actual.inner
        return assignable(expected.inner, wanted, guard)
    return not assignable(actual, m.UNDEF, guard) and assignable(expected.inner, actual, guard)


def to_optional(expected: Any, actual: Type, guard: Guard) -> bool:
    """Return whether the type is Undef or within the inner type."""
    return isinstance(actual, m.UndefType) or assignable(expected.inner, actual, guard)


def to_variant(expected: Any, actual: Type, guard: Guard) -> bool:
    """Return whether one of the Variant's types accepts the type."""
    return any(assignable(item, actual, guard) for item in expected.types)


NUMERIC_CLASSES = frozenset({m.NumericType, m.IntegerType, m.FloatType})
STRING_CLASSES = frozenset({m.StringType, m.EnumType, m.PatternType})
SCALAR_DATA_CLASSES = NUMERIC_CLASSES | STRING_CLASSES | {m.ScalarDataType, m.BooleanType}
SCALAR_CLASSES = SCALAR_DATA_CLASSES | {
    m.ScalarType,
    m.RegexpType,
    m.SemVerType,
    m.SemVerRangeType,
    m.TimespanType,
    m.TimestampType,
}


def to_classes(classes: frozenset[type[Type]]) -> Relation:
    """Return the rule of an abstract type as a set of the classes within it."""

    def relation(expected: Any, actual: Type, guard: Guard) -> bool:
        return actual.__class__ in classes

    return relation


# -- scalars -------------------------------------------------------------------------------------


def range_within(low: Any, high: Any, actual_low: Any, actual_high: Any) -> bool:
    """Return whether a range contains another; None means no limit.

    >>> range_within(1, None, 2, 3), range_within(1, 2, 1, None)
    (True, False)
    """
    if low is not None and (actual_low is None or actual_low < low):
        return False
    return high is None or (actual_high is not None and actual_high <= high)


def to_range(expected: Any, actual: Any, guard: Guard) -> bool:
    """Return whether it has the same class and its range is within the expected one."""
    return actual.__class__ is expected.__class__ and range_within(
        expected.low, expected.high, actual.low, actual.high
    )


def to_boolean(expected: m.BooleanType, actual: Type, guard: Guard) -> bool:
    """Return whether it is a Boolean with the same value; the bare Boolean accepts both."""
    return isinstance(actual, m.BooleanType) and expected.value in (None, actual.value)


def to_string(expected: m.StringType, actual: Type, guard: Guard) -> bool:
    """Return whether all strings of a String, Enum or Pattern type match."""
    if expected.value is not None:
        if isinstance(actual, m.StringType):
            return actual.value == expected.value
        if isinstance(actual, m.EnumType):
            return actual.values == (expected.value,) and not actual.case_insensitive
        return False
    low, high = expected.low or 0, expected.high
    if isinstance(actual, m.StringType):
        if actual.value is not None:
            return length_fits(actual.value, low, high)
        return range_within(low, high, actual.low or 0, actual.high)
    if isinstance(actual, m.EnumType):
        if not actual.values:
            return low == 0 and high is None
        return all(length_fits(value, low, high) for value in actual.values)
    return isinstance(actual, m.PatternType) and low == 0 and high is None


def length_fits(text: str, low: int, high: int | None) -> bool:
    """Return whether a text's length is within limits."""
    return low <= len(text) and (high is None or len(text) <= high)


def to_enum(expected: m.EnumType, actual: Type, guard: Guard) -> bool:
    """Return whether all strings are in the Enum; the bare Enum accepts all strings."""
    if not expected.values:
        return actual.__class__ in STRING_CLASSES
    if isinstance(actual, m.StringType):
        values: tuple[str, ...] = () if actual.value is None else (actual.value,)
        ignoring_case = False
    elif isinstance(actual, m.EnumType):
        values, ignoring_case = actual.values, actual.case_insensitive
    else:
        return False
    if not values:
        return False
    if expected.case_insensitive:
        known = {ascii_lower(value) for value in expected.values}
        return all(ascii_lower(value) in known for value in values)
    return not ignoring_case and set(values) <= set(expected.values)


def ascii_lower(text: str) -> str:
    """Return text in lower case, ASCII letters only."""
    if text.isascii():
        return text.lower()
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


def to_pattern(expected: m.PatternType, actual: Type, guard: Guard) -> bool:
    """Return whether its strings match, or it is a Pattern of the same regular expressions."""
    if isinstance(actual, m.PatternType):
        return not expected.patterns or set(actual.patterns) == set(expected.patterns)
    if isinstance(actual, m.StringType) and actual.value is not None:
        return not expected.patterns or matches_any(expected.patterns, actual.value)
    if isinstance(actual, m.EnumType) and actual.values:
        return not expected.patterns or all(
            matches_any(expected.patterns, value) for value in actual.values
        )
    return not expected.patterns and isinstance(actual, m.StringType | m.EnumType)


@remembered(1024)
def regexp(pattern: str) -> Regexp:
    """Return a compiled pattern from the cache."""
    return Regexp(pattern)


def matches_any(patterns: tuple[str, ...], text: str) -> bool:
    """Return whether one of some patterns is found in a text."""
    return any(regexp(pattern).search(text) is not None for pattern in patterns)


def to_regexp(expected: m.RegexpType, actual: Type, guard: Guard) -> bool:
    """Return whether the pattern is the same; the bare Regexp accepts all."""
    return isinstance(actual, m.RegexpType) and expected.pattern in (None, actual.pattern)


def to_semver(expected: m.SemVerType, actual: Type, guard: Guard) -> bool:
    """Return whether each actual range is within one of the expected ranges."""
    if not isinstance(actual, m.SemVerType):
        return False
    if not expected.ranges:
        return True
    return bool(actual.ranges) and all(
        any(covers_range(outer, inner) for outer in expected.ranges) for inner in actual.ranges
    )


def covers_range(outer: Any, inner: Any) -> bool:
    """Return whether each interval of a version range is within one of another's."""
    return all(
        any(item.intersection(part).key() == part.key() for item in outer.intervals)
        for part in inner.intervals
    )


def to_uri(expected: m.URIType, actual: Type, guard: Guard) -> bool:
    """Return whether each required part is present and matches."""
    if not isinstance(actual, m.URIType):
        return False
    given = uri_parts(actual)
    return all(
        name in given and part_within(part, given[name], guard)
        for name, part in uri_parts(expected).items()
    )


def part_within(expected: Any, actual: Any, guard: Guard) -> bool:
    """Return whether a part of a URI or a parameter of an Object matches the expected one."""
    if isinstance(expected, Type):
        return assignable(expected, actual if isinstance(actual, Type) else exact(actual), guard)
    if isinstance(expected, Regexp) and isinstance(actual, str):
        return expected.matches(actual)
    return actual.__class__ is expected.__class__ and bool(actual == expected)


def exact(value: Any) -> Type:
    """Return the type of one text, number or undef."""
    if value is None:
        return m.UNDEF
    if value.__class__ is int:
        return m.IntegerType(value, value)
    return m.StringType(value=value) if value.__class__ is str else m.ANY


# -- containers ----------------------------------------------------------------------------------


def size_within(expected: Any, low: int, high: int | None) -> bool:
    """Return whether a number of elements is within a container type's size."""
    return range_within(expected.minimum, expected.high, low, high)


def tuple_size(actual: m.TupleType) -> tuple[int, int | None]:
    """Return the size of an actual Tuple; the bare one counts as empty here, as in Puppet."""
    return actual.bounds if actual.types or actual.low is not None else (0, 0)


def to_collection(expected: m.CollectionType, actual: Type, guard: Guard) -> bool:
    """Return whether it is an Array, Hash, Tuple or Struct whose size matches."""
    if isinstance(actual, m.TupleType):
        return size_within(expected, *tuple_size(actual))
    if isinstance(actual, m.StructType):
        return size_within(expected, len(actual.elements), len(actual.elements))
    if isinstance(actual, m.CollectionType | m.ArrayType | m.HashType):
        return size_within(expected, actual.minimum, actual.high)
    return False


def to_array(expected: m.ArrayType, actual: Type, guard: Guard) -> bool:
    """Return whether it is an Array or a Tuple whose size and elements match."""
    if isinstance(actual, m.ArrayType):
        if not size_within(expected, actual.minimum, actual.high):
            return False
        return actual.high == 0 or assignable(expected.element, actual.element, guard)
    if isinstance(actual, m.TupleType):
        if not size_within(expected, *tuple_size(actual)):
            return False
        return all(assignable(expected.element, item, guard) for item in actual.types)
    return False


def to_tuple(expected: m.TupleType, actual: Type, guard: Guard) -> bool:
    """Return whether a Tuple matches slot by slot, or an Array's element matches every slot."""
    low, high = expected.bounds
    types = expected.types
    if isinstance(actual, m.ArrayType):
        if not range_within(low, high, actual.minimum, actual.high):
            return False
        # An Array that is shorter than the Tuple never reaches the slots at its end.
        return all(assignable(item, actual.element, guard) for item in types[: actual.high])
    if not isinstance(actual, m.TupleType):
        return False
    if not types:
        return True
    if not range_within(low, high, *actual.bounds):
        return False
    return all(
        assignable(types[min(position, len(types) - 1)], item, guard)
        for position, item in enumerate(actual.types)
    )


def to_hash(expected: m.HashType, actual: Type, guard: Guard) -> bool:
    """Return whether it is a Hash or a Struct whose size, keys and values match."""
    if isinstance(actual, m.HashType):
        if not size_within(expected, actual.minimum, actual.high):
            return False
        if actual.high == 0:
            return True
        return assignable(expected.key, actual.key, guard) and assignable(
            expected.value, actual.value, guard
        )
    if isinstance(actual, m.StructType):
        if not size_within(expected, len(actual.elements), len(actual.elements)):
            return False
        return all(
            assignable(expected.key, m.StringType(value=item.name), guard)
            and assignable(expected.value, item.type, guard)
            for item in actual.elements
        )
    return False


def to_struct(expected: m.StructType, actual: Type, guard: Guard) -> bool:
    """Return whether a Struct matches by element, or a Hash by keys and values."""
    if isinstance(actual, m.StructType):
        found = 0
        for item in expected.elements:
            given = actual.element(item.name)
            if given is None:
                if not item.optional:
                    return False
                continue
            found += 1
            if given.optional and not item.optional:
                return False
            if not assignable(item.type, given.type, guard):
                return False
        return found == len(actual.elements)
    if isinstance(actual, m.HashType):
        return hash_to_struct(expected, actual, guard)
    return False


def hash_to_struct(expected: m.StructType, actual: m.HashType, guard: Guard) -> bool:
    """Return whether a Hash type can have the entries of a Struct, by Puppet's rule.

    The names of the keys are not compared, and neither are the types of optional keys.
    """
    if actual.high != 0 and not assignable(STRING, actual.key, guard):
        return False
    required = [item for item in expected.elements if not item.optional]
    if not all(assignable(item.type, actual.value, guard) for item in required):
        return False
    return range_within(len(required), len(expected.elements), actual.minimum, actual.high)


PAIR = m.TupleType((m.UNIT, m.UNIT))
"""Puppet's type of the entries of a Hash or Struct without parameters."""


def iterated(actual: Type) -> Type | None:
    """Return the type of the items of a value of this type; None if it is not iterable."""
    match actual:
        case m.ArrayType():
            return actual.element
        case m.TupleType():
            return m.VariantType(actual.types) if actual.types else m.ANY
        case m.HashType():
            return PAIR if actual == m.HashType() else m.TupleType((actual.key, actual.value))
        case m.StructType():
            if not actual.elements:
                return PAIR
            names = tuple(m.StringType(value=item.name) for item in actual.elements)
            values = tuple(item.type for item in actual.elements)
            return m.TupleType((m.VariantType(names), m.VariantType(values)))
        case m.StringType() | m.EnumType():
            return ONE_CHARACTER
        case m.CollectionType():
            return m.ANY
        case m.IntegerType():
            return TRUE_INTEGER
        case m.IterableType() | m.IteratorType():
            return actual.inner
        case m.TypeType(type=inner):
            return None if inner is None else iterated_type(m.resolved(inner))
    return None


def iterated_type(type_: Type) -> Type | None:
    """Return the type of the items of the type itself: a limited Integer or an Enum."""
    if isinstance(type_, m.IntegerType) and type_.low is not None and type_.high is not None:
        return type_
    if isinstance(type_, m.EnumType):
        return type_ if type_.values else STRING
    return None


def to_iterable(expected: m.IterableType, actual: Type, guard: Guard) -> bool:
    """Return whether its values are iterable and their items match."""
    item = iterated(actual)
    if item is None:
        return False
    return expected.type is None or assignable(expected.type, item, guard)


def to_iterator(expected: m.IteratorType, actual: Type, guard: Guard) -> bool:
    """Return whether it is an Iterator whose items match."""
    return isinstance(actual, m.IteratorType) and inner_within(expected, actual, guard)


# -- callables and types -------------------------------------------------------------------------


def to_callable(expected: m.CallableType, actual: Type, guard: Guard) -> bool:
    """Return whether it takes at least the same arguments and its return type matches."""
    if not isinstance(actual, m.CallableType):
        return False
    if expected.return_type is not None:
        returned = m.ANY if actual.return_type is None else actual.return_type
        if not assignable(expected.return_type, returned, guard):
            return False
    if expected.parameters is None:
        return True
    if actual.parameters is None:
        return False
    if not callable_takes(actual, expected, guard):
        return False
    return block_within(expected.block, actual.block, guard)


def callable_takes(actual: m.CallableType, given: m.CallableType, guard: Guard) -> bool:
    """Return whether a callable takes every list of arguments that a parameter list describes."""
    if not range_within(actual.low or 0, actual.high, given.low or 0, given.high):
        return False
    if given.high == 0 or not given.parameters or not actual.parameters:
        return True
    count = max(len(given.parameters), len(actual.parameters))
    if given.high is not None:
        count = min(count, given.high)
    return all(
        assignable(actual.parameter(position), given.parameter(position), guard)
        for position in range(count)
    )


def block_within(expected: Type | None, actual: Type | None, guard: Guard) -> bool:
    """Return whether a callable's own block parameter takes the block that it will be given."""
    if expected is None:
        return actual is None or assignable(actual, m.UNDEF, guard)
    return actual is not None and assignable(actual, expected, guard)


def to_type(expected: m.TypeType, actual: Type, guard: Guard) -> bool:
    """Return whether the inner type is within the expected inner type."""
    return isinstance(actual, m.TypeType) and inner_within(expected, actual, guard)


def inner_within(expected: Any, actual: Any, guard: Guard) -> bool:
    """Return whether the inner types match; a bare ``Type`` is not within ``Type[Any]``."""
    if expected.type is None:
        return True
    return actual.type is not None and assignable(expected.type, actual.type, guard)


def to_runtime(expected: m.RuntimeType, actual: Type, guard: Guard) -> bool:
    """Return whether the runtime and the name are the same."""
    if not isinstance(actual, m.RuntimeType):
        return False
    if expected.runtime is None:
        return True
    return expected.runtime == actual.runtime and expected.name in (None, actual.name)


def to_catalog_entry(expected: Type, actual: Type, guard: Guard) -> bool:
    """Return whether it is a resource or a class."""
    return isinstance(actual, m.CatalogEntryType | m.ResourceType | m.ClassType)


def to_resource(expected: m.ResourceType, actual: Type, guard: Guard) -> bool:
    """Return whether the resource type, and the title if expected, are the same."""
    if not isinstance(actual, m.ResourceType):
        return False
    if expected.type_name is None:
        return True
    return expected.type_name == actual.type_name and expected.title in (None, actual.title)


def to_class(expected: m.ClassType, actual: Type, guard: Guard) -> bool:
    """Return whether the class is the same; the bare Class accepts all."""
    return isinstance(actual, m.ClassType) and expected.name in (None, actual.name)


def to_sensitive(expected: m.SensitiveType, actual: Type, guard: Guard) -> bool:
    """Return whether it is a Sensitive whose content matches."""
    return isinstance(actual, m.SensitiveType) and assignable(expected.inner, actual.inner, guard)


def to_init(expected: m.InitType, actual: Type, guard: Guard) -> bool:
    """Return whether it is the type or an argument of its ``new``; bare Init takes RichData."""
    if expected.type is None:
        return isinstance(actual, m.InitType) or assignable(RICH_DATA, actual, guard)
    signatures = new_signatures(expected.type)  # raises where the type has no ``new``
    if isinstance(actual, m.InitType):
        return actual.type is not None and assignable(expected.type, actual.type, guard)
    if not expected.arguments and assignable(expected.type, actual, guard):
        return True
    return any(new_takes(item, expected, actual, guard) for item in signatures)


def new_takes(accepted: m.CallableType, expected: m.InitType, actual: Type, guard: Guard) -> bool:
    """Return whether a signature of ``new`` takes one argument of a type, or a Tuple as several."""
    further = tuple(map(exact, expected.arguments))
    given = m.CallableType((actual, *further))
    if callable_takes(accepted, given, guard):
        return True
    if accepted.high == 1 or not isinstance(actual, m.TupleType):
        return False
    if further:
        return False
    low, high = actual.bounds
    return callable_takes(accepted, m.CallableType(actual.types, low, high), guard)


def to_object(expected: m.ObjectType, actual: Type, guard: Guard) -> bool:
    """Return whether the Object type is the same or a child; the bare Object accepts all."""
    base = actual.base if isinstance(actual, m.ObjectExtensionType) else actual
    if not isinstance(base, m.ObjectType):
        return False
    if expected is m.OBJECT:
        return True
    return base.is_within(expected)


def to_object_extension(expected: m.ObjectExtensionType, actual: Type, guard: Guard) -> bool:
    """Return whether it is an extension whose parameters all match."""
    if not isinstance(actual, m.ObjectExtensionType):
        return False
    if not actual.base.is_within(expected.base):
        return False
    given = dict(actual.parameters)
    return all(
        name in given and part_within(wanted, given[name], guard)
        for name, wanted in expected.parameters
    )


def to_type_set(expected: m.TypeSetType, actual: Type, guard: Guard) -> bool:
    """Return whether the set is the same; the bare TypeSet accepts all."""
    return isinstance(actual, m.TypeSetType) and (expected is m.TYPE_SET or expected is actual)


def to_reference(expected: m.TypeReferenceType, actual: Type, guard: Guard) -> bool:
    """Return whether the texts of the references are the same."""
    return isinstance(actual, m.TypeReferenceType) and expected.text == actual.text


RELATIONS.update(
    {
        m.AnyType: to_everything,
        m.UnitType: to_everything,
        m.UndefType: to_same_class,
        m.DefaultType: to_same_class,
        m.NotUndefType: to_not_undef,
        m.OptionalType: to_optional,
        m.VariantType: to_variant,
        m.ScalarType: to_classes(SCALAR_CLASSES),
        m.ScalarDataType: to_classes(SCALAR_DATA_CLASSES),
        m.NumericType: to_classes(NUMERIC_CLASSES),
        m.IntegerType: to_range,
        m.FloatType: to_range,
        m.BooleanType: to_boolean,
        m.StringType: to_string,
        m.EnumType: to_enum,
        m.PatternType: to_pattern,
        m.RegexpType: to_regexp,
        m.CollectionType: to_collection,
        m.ArrayType: to_array,
        m.TupleType: to_tuple,
        m.HashType: to_hash,
        m.StructType: to_struct,
        m.IterableType: to_iterable,
        m.IteratorType: to_iterator,
        m.CallableType: to_callable,
        m.TypeType: to_type,
        m.RuntimeType: to_runtime,
        m.CatalogEntryType: to_catalog_entry,
        m.ResourceType: to_resource,
        m.ClassType: to_class,
        m.BinaryType: to_same_class,
        m.SemVerType: to_semver,
        m.SemVerRangeType: to_same_class,
        m.TimespanType: to_range,
        m.TimestampType: to_range,
        m.URIType: to_uri,
        m.SensitiveType: to_sensitive,
        m.InitType: to_init,
        m.ObjectType: to_object,
        m.ObjectExtensionType: to_object_extension,
        m.TypeSetType: to_type_set,
        m.TypeAliasType: to_alias,
        m.TypeReferenceType: to_reference,
    }
)
