"""The types of Puppet as data: the parameters of each type, without behaviour.

Each question about types (is a value an instance, is one type within another, how is it written) is
a module of its own. Types are values too: ``File['/a']`` is a :class:`ResourceType`. A parameter
that was not given is ``None``, so ``Type`` and ``Type[Any]`` differ where they do in Puppet.

Types are frozen. ``==`` between them is structural, as hash keys need it; Puppet's ``==``, which
also takes ``Optional[String]`` for ``Variant[String, Undef]``, is in :mod:`bunraku.types.relations.equality`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from bunraku.base.records import record
from bunraku.types.base import Type, TypeAliasType, model, resolved
from bunraku.types.objects import (
    MISSING,
    ObjectAttribute,
    ObjectExtensionType,
    ObjectFunction,
    ObjectType,
    TypeSetReference,
    TypeSetType,
    same_object_type,
)
from bunraku.values.keys import as_key

__all__ = [
    "ANY",
    "BINARY",
    "CATALOG_ENTRY",
    "DEFAULT_TYPE",
    "MISSING",
    "NUMERIC",
    "OBJECT",
    "SCALAR",
    "SCALAR_DATA",
    "SEMVER_RANGE",
    "TYPE_SET",
    "UNDEF",
    "UNIT",
    "AnyType",
    "ArrayType",
    "BinaryType",
    "BooleanType",
    "CallableType",
    "CatalogEntryType",
    "ClassType",
    "CollectionType",
    "DefaultType",
    "EnumType",
    "FloatType",
    "HashType",
    "InitType",
    "IntegerType",
    "IterableType",
    "IteratorType",
    "NotUndefType",
    "NumericType",
    "ObjectAttribute",
    "ObjectExtensionType",
    "ObjectFunction",
    "ObjectType",
    "OptionalType",
    "PatternType",
    "RegexpType",
    "ResourceType",
    "RuntimeType",
    "ScalarDataType",
    "ScalarType",
    "SemVerRangeType",
    "SemVerType",
    "SensitiveType",
    "Sized",
    "StringType",
    "StructElement",
    "StructType",
    "TimespanType",
    "TimestampType",
    "TupleType",
    "Type",
    "TypeAliasType",
    "TypeReferenceType",
    "TypeSetReference",
    "TypeSetType",
    "TypeType",
    "URIType",
    "UndefType",
    "UnitType",
    "VariantType",
    "Wrapper",
    "resolved",
    "same_object_type",
]

Value = Any

# -- without parameters --------------------------------------------------------------------------


@model
class AnyType(Type):
    """``Any``: every value."""


@model
class UnitType(Type):
    """``Unit``: assignable to and from any type; the element type of an empty array."""


@model
class UndefType(Type):
    """``Undef``: undef alone."""


@model
class DefaultType(Type):
    """``Default``: the value of the literal ``default``."""


@model
class ScalarType(Type):
    """``Scalar``: a single value: ScalarData, Regexp, SemVer, Timespan, Timestamp."""


@model
class ScalarDataType(Type):
    """``ScalarData``: a single value that JSON has: String, Numeric, Boolean."""


@model
class NumericType(Type):
    """``Numeric``: Integer or Float."""


@model
class BinaryType(Type):
    """``Binary``: a sequence of bytes."""


@model
class SemVerRangeType(Type):
    """``SemVerRange``: ranges of versions as values."""


@model
class CatalogEntryType(Type):
    """``CatalogEntry``: Resource and Class; values of it are not found in the language."""


ANY = AnyType()
UNIT = UnitType()
UNDEF = UndefType()
DEFAULT_TYPE = DefaultType()
SCALAR = ScalarType()
SCALAR_DATA = ScalarDataType()
NUMERIC = NumericType()
BINARY = BinaryType()
SEMVER_RANGE = SemVerRangeType()
CATALOG_ENTRY = CatalogEntryType()


# -- types around one type -----------------------------------------------------------------------


class Wrapper(Type):
    """A type with one optional type parameter, ``type``."""

    __slots__ = ()

    type: Type | None

    @property
    def inner(self) -> Type:
        """The parameter; Any where none is given."""
        return ANY if self.type is None else self.type

    def identity(self) -> Hashable:
        """Return the inner type: ``Optional`` and ``Optional[Any]`` are equal."""
        return self.inner


@model
class NotUndefType(Wrapper):
    """``NotUndef[T]``: a T that is not undef."""

    type: Type | None = None


@model
class OptionalType(Wrapper):
    """``Optional[T]``: a T or undef; ``Optional['x']`` holds the string's exact type."""

    type: Type | None = None


@model
class IterableType(Wrapper):
    """``Iterable[T]``: values that can be iterated, each item a T."""

    type: Type | None = None


@model
class IteratorType(Wrapper):
    """``Iterator[T]``: a lazy sequence of T."""

    type: Type | None = None

    def identity(self) -> Hashable:
        """Return the parameter: ``Iterator`` and ``Iterator[Any]`` differ."""
        return self.type


@model
class TypeType(Wrapper):
    """``Type[T]``: a type that is T or within it."""

    type: Type | None = None

    def identity(self) -> Hashable:
        """Return the parameter: ``Type`` and ``Type[Any]`` differ."""
        return self.type


@model
class SensitiveType(Wrapper):
    """``Sensitive[T]``: a secret T."""

    type: Type | None = None


@model
class InitType(Type):
    """``Init[T, argument…]``: values from which ``T.new`` makes a T, with those further arguments."""

    type: Type | None = None
    arguments: tuple[Value, ...] = ()

    def identity(self) -> Hashable:
        """Arguments are values: ``1`` is not ``1.0``."""
        return self.type, as_key(list(self.arguments))


@model
class VariantType(Type):
    """``Variant[A, B]``: one of several types; their order is ignored when comparing."""

    types: tuple[Type, ...] = ()

    def identity(self) -> Hashable:
        """Return the set of the types, whose order is ignored."""
        return frozenset(self.types)


# -- scalars -------------------------------------------------------------------------------------


@model
class IntegerType(Type):
    """``Integer[low, high]``: whole numbers of a closed range; None means no limit."""

    low: int | None = None
    high: int | None = None


@model
class FloatType(Type):
    """``Float[low, high]``: floating-point numbers of a closed range; None means no limit."""

    low: float | None = None
    high: float | None = None


@model
class BooleanType(Type):
    """``Boolean``, ``Boolean[true]``."""

    value: bool | None = None


@model
class StringType(Type):
    """``String[low, high]``: text by length; with ``value`` the one text (found by inference).

    ``low`` is None where no size is given (it counts as 0); ``String[0]`` prints as written.
    """

    low: int | None = None
    high: int | None = None
    value: str | None = None

    def identity(self) -> Hashable:
        """Return the fields, with a missing lower limit as 0."""
        return self.low or 0, self.high, self.value


@model
class EnumType(Type):
    """``Enum['a', 'b']``: one of some strings, kept sorted; True as last parameter ignores case."""

    values: tuple[str, ...] = ()
    case_insensitive: bool = False


@model
class PatternType(Type):
    """``Pattern[/a/, /b/]``: text in which one of the regular expressions is found."""

    patterns: tuple[str, ...] = ()

    def identity(self) -> Hashable:
        """Return the set of the patterns."""
        return frozenset(self.patterns)


@model
class RegexpType(Type):
    """``Regexp[/a/]``: regular expressions as values; with a pattern only that one."""

    pattern: str | None = None


@model
class SemVerType(Type):
    """``SemVer['1.x', '>=3.0.0']``: versions within one of the ranges (SemVerRange values)."""

    ranges: tuple[Any, ...] = ()

    def identity(self) -> Hashable:
        """Return the set of the ranges."""
        return frozenset(self.ranges)


@model
class TimespanType(Type):
    """``Timespan[low, high]``: durations of a closed range (Timespan values)."""

    low: Any = None
    high: Any = None


@model
class TimestampType(Type):
    """``Timestamp[low, high]``: points in time of a closed range (Timestamp values)."""

    low: Any = None
    high: Any = None


@model
class URIType(Type):
    """``URI[{ scheme => T, … }]``: URIs by their parts, each a string, integer or type.

    ``parts`` holds (name, value) pairs in the order of a URI's parts; a part given as undef must
    be absent from the value.
    """

    parts: tuple[tuple[str, Any], ...] = ()

    def identity(self) -> Hashable:
        """Return the set of the parts, whose order is ignored."""
        return frozenset((name, as_key(value)) for name, value in self.parts)


# -- containers ----------------------------------------------------------------------------------


class Sized(Type):
    """A container type; ``low`` is None where no size is given, and then counts as 0."""

    __slots__ = ()

    low: int | None
    high: int | None

    @property
    def minimum(self) -> int:
        """The least number of elements."""
        return self.low or 0

    def has_size(self) -> bool:
        """Return whether the number of elements is limited."""
        return bool(self.low) or self.high is not None


@model
class CollectionType(Sized):
    """``Collection[low, high]``: arrays and hashes by size."""

    low: int | None = None
    high: int | None = None

    def identity(self) -> Hashable:
        """Return the fields, with a missing lower limit as 0."""
        return self.minimum, self.high


@model
class ArrayType(Sized):
    """``Array[T, low, high]``."""

    element: Type = ANY
    low: int | None = None
    high: int | None = None

    def identity(self) -> Hashable:
        """Return the fields, with a missing lower limit as 0."""
        return self.element, self.minimum, self.high


@model
class HashType(Sized):
    """``Hash[K, V, low, high]``."""

    key: Type = ANY
    value: Type = ANY
    low: int | None = None
    high: int | None = None

    def identity(self) -> Hashable:
        """Return the fields, with a missing lower limit as 0."""
        return self.key, self.value, self.minimum, self.high


@model
class TupleType(Sized):
    """``Tuple[A, B, low, high]``: arrays with a type for each slot; the last one repeats.

    Without ``low`` there are as many elements as types; the bare ``Tuple`` is any array.
    """

    types: tuple[Type, ...] = ()
    low: int | None = None
    high: int | None = None

    @property
    def bounds(self) -> tuple[int, int | None]:
        """The least and the greatest number of elements."""
        if self.low is not None or self.high is not None:
            return self.low or 0, self.high
        if not self.types:
            return 0, None
        return len(self.types), len(self.types)

    @property
    def minimum(self) -> int:
        """The least number of elements."""
        return self.bounds[0]

    @property
    def maximum(self) -> int | None:
        """The greatest number of elements; None means no limit."""
        return self.bounds[1]

    def identity(self) -> Hashable:
        """Return the types and sizes: ``Tuple[String]`` is ``Tuple[String, 1, 1]``."""
        return self.types, self.bounds


@record(frozen=True)
class StructElement:
    """``name => T`` of a Struct; an ``optional`` one may be absent."""

    name: str
    type: Type
    optional: bool = False


@model
class StructType(Type):
    """``Struct[{ name => T }]``: hashes with a type for each string key; others are refused.

    The bare ``Struct`` is ``Struct[{}]``: both accept only the empty hash.
    """

    elements: tuple[StructElement, ...] = ()

    def identity(self) -> Hashable:
        """Return the set of the elements, whose order is ignored."""
        return frozenset(self.elements)

    @property
    def required(self) -> int:
        """The number of required keys."""
        return sum(not element.optional for element in self.elements)

    def element(self, name: str) -> StructElement | None:
        """Return the element of a key."""
        return next((item for item in self.elements if item.name == name), None)


# -- callables -----------------------------------------------------------------------------------


@model
class CallableType(Type):
    """``Callable[A, B, low, high, Block]``, ``Callable[[A, B], R]``.

    The bare ``Callable`` has no ``parameters``; the last parameter repeats up to ``high``. An
    untyped parameter may be given as None. ``names`` of the parameters serve messages only;
    ``size_shown`` means that ``low`` and ``high`` were written.
    """

    parameters: tuple[Type, ...] | None = None
    low: int | None = None
    high: int | None = None
    block: Type | None = None
    return_type: Type | None = None
    names: tuple[str, ...] = ()
    size_shown: bool = False

    def __post_init__(self) -> None:
        given: tuple[Any, ...] | None = self.parameters
        if given is None:
            return
        if None in given:
            given = tuple(ANY if item is None else item for item in given)
            object.__setattr__(self, "parameters", given)
        if self.low is None:
            object.__setattr__(self, "low", len(given))
            if self.high is None:
                object.__setattr__(self, "high", len(given))

    def identity(self) -> Hashable:
        """Return the fields without the parameter names."""
        return self.parameters, self.low, self.high, self.block, self.return_type

    def parameter(self, position: int) -> Type:
        """Return the type of the argument at a position; the last one repeats."""
        given = self.parameters
        if not given:
            return ANY if given is None else UNIT
        return given[position] if position < len(given) else given[-1]


# -- catalog -------------------------------------------------------------------------------------


@model
class ResourceType(Type):
    """``Resource[type, title]``, written ``File['/a']``; ``type_name`` in lower case."""

    type_name: str | None = None
    title: str | None = None


@model
class ClassType(Type):
    """``Class['name']``; the name in lower case without leading colons."""

    name: str | None = None


@model
class RuntimeType(Type):
    """``Runtime['ruby', 'Symbol']``: something of the machine that Puppet runs on.

    ``pattern`` and ``replacement`` map names of a whole package: ``Runtime['ruby', [/^A/, 'B']]``.
    """

    runtime: str | None = None
    name: str | None = None
    pattern: str | None = None
    replacement: str | None = None


@model
class TypeReferenceType(Type):
    """``TypeReference['Name[…]']``: the text of a type that no loader can find."""

    text: str


OBJECT = ObjectType("Object")
"""The bare ``Object``: values of all Object types."""

TYPE_SET = TypeSetType("TypeSet")
"""The bare ``TypeSet``."""
