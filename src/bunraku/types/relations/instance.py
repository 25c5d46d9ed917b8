"""Whether a value is of a type. A type's check is compiled once into closures, kept on the type."""

# ruff: noqa: ARG001, ARG005 - rules of one table have one signature
# ruff: noqa: SIM110 - a loop is twice as fast as any() and all() here

from __future__ import annotations

from collections.abc import Callable
from threading import get_ident
from typing import Any

from bunraku.types import model as m
from bunraku.types.builtin import RICH_DATA
from bunraku.types.init import new_signatures, takes_arguments
from bunraku.types.model import Type
from bunraku.types.relations.assignable import (
    ascii_lower,
    is_assignable,
    iterated,
    iterated_type,
    regexp,
)
from bunraku.types.relations.dispatch import uri_parts
from bunraku.types.relations.infer import infer
from bunraku.values.binary import Binary
from bunraku.values.default import Default
from bunraku.values.iterator import Iterator
from bunraku.values.keys import from_key
from bunraku.values.pcore import PcoreObject
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.ruby_object import RubyReference, Symbol
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import SemVer, SemVerRange

Value = Any
Check = Callable[[Value], bool]

ABSENT: Any = object()
RUBY_OBJECTS = frozenset({RubyReference, Symbol})


def is_instance(value: Value, type_: Type) -> bool:
    """Return whether a value is of a type.

    >>> is_instance(3, m.IntegerType(1, 5)), is_instance(True, m.IntegerType())
    (True, False)
    """
    try:
        check = type_.checker
    except AttributeError:
        check = checker(type_)
    return check(value)


def checker(type_: Type) -> Check:
    """Return the check of a type as a function of the value.

    >>> check = checker(m.ArrayType(m.StringType(1)))
    >>> check(["a"]), check([""])
    (True, False)
    """
    try:
        return type_.checker
    except AttributeError:
        check = BUILDERS[type_.__class__](type_)
        object.__setattr__(type_, "checker", check)
        return check


# -- simple classes ------------------------------------------------------------------------------


def always(value: Value) -> bool:
    """Return True for every value."""
    return True


def never(value: Value) -> bool:
    """Return False: code cannot have a value of the type."""
    return False


def is_undef(value: Value) -> bool:
    """Return whether the value is undef."""
    return value is None


def of_class(cls: type) -> Check:
    """Return a check for values of one Python class."""

    def check(value: Value) -> bool:
        return value.__class__ is cls

    return check


def of_classes(*given: type) -> Check:
    """Return a check for values of several Python classes."""
    classes = frozenset(given)

    def check(value: Value) -> bool:
        return value.__class__ in classes

    return check


is_default = of_class(Default)
is_string = of_class(str)
is_integer = of_class(int)
is_float = of_class(float)
is_boolean = of_class(bool)
is_number = of_classes(int, float)
is_scalar_data = of_classes(str, int, float, bool)
is_scalar = of_classes(str, int, float, bool, Regexp, SemVer, SemVerRange, Timespan, Timestamp)


def constant_check(check: Check) -> Callable[[Type], Check]:
    """Return a builder for a type that always has the same check."""
    return lambda type_: check


# -- scalars -------------------------------------------------------------------------------------


def build_integer(type_: m.IntegerType) -> Check:
    """Return a check for whole numbers in a range."""
    low: Any = type_.low
    high: Any = type_.high
    if low is None and high is None:
        return is_integer
    if high is None:
        return lambda value: value.__class__ is int and value >= low
    if low is None:
        return lambda value: value.__class__ is int and value <= high
    return lambda value: value.__class__ is int and low <= value <= high


def build_float(type_: m.FloatType) -> Check:
    """Return a check for floating-point numbers in a range."""
    low = float("-inf") if type_.low is None else type_.low
    high = float("inf") if type_.high is None else type_.high
    if type_.low is None and type_.high is None:
        return is_float
    return lambda value: value.__class__ is float and low <= value <= high


def build_boolean(type_: m.BooleanType) -> Check:
    """Return a check for both truth values, or for one."""
    wanted = type_.value
    if wanted is None:
        return is_boolean
    return lambda value: value is wanted


def build_string(type_: m.StringType) -> Check:
    """Return a check for texts of a length, or for one text."""
    exact, low, high = type_.value, type_.low or 0, type_.high
    if exact is not None:
        return lambda value: value.__class__ is str and value == exact
    if high is None:
        if low == 0:
            return is_string
        if low == 1:
            return lambda value: value.__class__ is str and value != ""
        return lambda value: value.__class__ is str and len(value) >= low
    return lambda value: value.__class__ is str and low <= len(value) <= high


def build_enum(type_: m.EnumType) -> Check:
    """Return a check for the texts of an Enum; the bare Enum has none."""
    if type_.case_insensitive:
        lowered = frozenset(map(ascii_lower, type_.values))
        return lambda value: value.__class__ is str and ascii_lower(value) in lowered
    known = frozenset(type_.values)
    return lambda value: value.__class__ is str and value in known


def build_pattern(type_: m.PatternType) -> Check:
    """Return a check for texts that match a pattern; the bare Pattern accepts all."""
    if not type_.patterns:
        return is_string
    expressions = [regexp(pattern) for pattern in type_.patterns]
    if len(expressions) == 1:
        only = expressions[0]
        return lambda value: value.__class__ is str and only.search(value) is not None

    def check(value: Value) -> bool:
        return value.__class__ is str and any(
            item.search(value) is not None for item in expressions
        )

    return check


def build_regexp(type_: m.RegexpType) -> Check:
    """Return a check for regular expressions, or for one."""
    pattern = type_.pattern
    if pattern is None:
        return of_class(Regexp)
    return lambda value: value.__class__ is Regexp and value.source_text() == pattern


def build_semver(type_: m.SemVerType) -> Check:
    """Return a check for versions in one of the ranges."""
    ranges = type_.ranges
    if not ranges:
        return of_class(SemVer)
    return lambda value: value.__class__ is SemVer and any(item.includes(value) for item in ranges)


def build_time(cls: type) -> Callable[[Any], Check]:
    """Timespan and Timestamp by range."""

    def build(type_: Any) -> Check:
        low, high = type_.low, type_.high
        if low is None and high is None:
            return of_class(cls)

        def check(value: Value) -> bool:
            if value.__class__ is not cls:
                return False
            return (low is None or value >= low) and (high is None or value <= high)

        return check

    return build


def build_uri(type_: m.URIType) -> Check:
    """Return a check for URIs by their parts."""
    parts = tuple(uri_parts(type_).items())
    if not parts:
        return of_class(URI)

    def check(value: Value) -> bool:
        if value.__class__ is not URI:
            return False
        given = value.parts()
        return all(part_fits(wanted, given.get(name)) for name, wanted in parts)

    return check


def part_fits(wanted: Value, given: Value) -> bool:
    """Return whether a part matches: by type, by regular expression or by value."""
    if isinstance(wanted, Type):
        return is_instance(given, wanted)
    if isinstance(wanted, Regexp):
        return given.__class__ is str and wanted.matches(given)
    return wanted.__class__ is given.__class__ and bool(wanted == given)


# -- around one type -----------------------------------------------------------------------------


def build_optional(type_: m.OptionalType) -> Check:
    """Return a check for undef or the type; the bare Optional accepts only undef."""
    if type_.type is None:
        return is_undef
    check = checker(type_.type)
    return lambda value: value is None or check(value)


def build_not_undef(type_: m.NotUndefType) -> Check:
    """Return a check for values of the type except undef."""
    check = checker(type_.inner)
    return lambda value: value is not None and check(value)


def build_variant(type_: m.VariantType) -> Check:
    """Return a check for values of at least one of the types."""
    checks = tuple(map(checker, type_.types))
    if len(checks) == 2:
        first, second = checks
        return lambda value: first(value) or second(value)

    def check(value: Value) -> bool:
        for option in checks:
            if option(value):
                return True
        return False

    return check


def build_sensitive(type_: m.SensitiveType) -> Check:
    """Return a check for Sensitive values by their content."""
    check = checker(type_.inner)
    return lambda value: value.__class__ is Sensitive and check(value.value)


def build_type(type_: m.TypeType) -> Check:
    """Return a check for types within the inner type."""
    inner = type_.type
    if inner is None:
        return lambda value: isinstance(value, Type)
    return lambda value: isinstance(value, Type) and is_assignable(inner, value)


def build_iterable(type_: m.IterableType) -> Check:
    """Return a check for iterable values by the type of their items."""
    wanted = None if isinstance(type_.type, m.AnyType) else type_.type

    def check(value: Value) -> bool:
        kind = value.__class__
        if wanted is None and (kind is list or kind is dict or kind is str):
            return True
        if wanted is None and kind is int:
            return bool(value >= 0)
        if kind is Iterator:
            item = value.element_type or m.ANY
        elif isinstance(value, Type):
            found = iterated_type(m.resolved(value))
            if found is None:
                return False
            item = found
        else:
            out = iterated(infer(value))
            if out is None:
                return False
            item = out
        return wanted is None or is_assignable(wanted, item)

    return check


def build_iterator(type_: m.IteratorType) -> Check:
    """Return a check for lazy sequences by the type of their items."""
    wanted = type_.type

    def check(value: Value) -> bool:
        if value.__class__ is not Iterator:
            return False
        return wanted is None or is_assignable(wanted, value.element_type or m.ANY)

    return check


def build_callable(type_: m.CallableType) -> Check:
    """Return a check for lambdas and functions: values that have ``callable_type()``."""

    def check(value: Value) -> bool:
        tell = getattr(value, "callable_type", None)
        return tell is not None and is_assignable(type_, tell())

    return check


def build_init(type_: m.InitType) -> Check:
    """Return a check for values that ``new`` accepts together with the further arguments."""
    target = type_.type
    if target is None:
        return checker(RICH_DATA)
    of_target = always if type_.arguments else checker(target)
    # Calls in progress, for types whose ``new`` takes an Init of themselves.
    running: set[tuple[int, int]] = set()

    def check(value: Value) -> bool:
        accepted = new_signatures(target)  # raises where the type has no ``new``
        if not type_.arguments and of_target(value):
            return True
        call = (get_ident(), id(value))
        if call in running:
            return False
        running.add(call)
        try:
            return takes_arguments(accepted, value, type_.arguments, is_instance)
        finally:
            running.discard(call)

    return check


# -- containers ----------------------------------------------------------------------------------


def build_collection(type_: m.CollectionType) -> Check:
    """Return a check for arrays and hashes by size."""
    low, high = type_.minimum, type_.high
    if not type_.has_size():
        return of_classes(list, dict)

    def check(value: Value) -> bool:
        if value.__class__ is not list and value.__class__ is not dict:
            return False
        return low <= len(value) and (high is None or len(value) <= high)

    return check


def build_array(type_: m.ArrayType) -> Check:
    """Return a check for arrays by size and element."""
    each = checker(type_.element)
    low, high = type_.minimum, type_.high
    if each is always and not type_.has_size():
        return of_class(list)
    if not type_.has_size():

        def check(value: Value) -> bool:
            if value.__class__ is not list:
                return False
            for item in value:
                if not each(item):
                    return False
            return True

        return check

    def check_sized(value: Value) -> bool:
        if value.__class__ is not list:
            return False
        size = len(value)
        if size < low or (high is not None and size > high):
            return False
        for item in value:
            if not each(item):
                return False
        return True

    return check_sized


def build_tuple(type_: m.TupleType) -> Check:
    """Return a check for arrays slot by slot; the last type repeats."""
    checks = tuple(map(checker, type_.types))
    low, high = type_.bounds
    if low == high == len(checks):
        return exact_slots(checks)
    last = checks[-1] if checks else always

    def check(value: Value) -> bool:
        if value.__class__ is not list:
            return False
        size = len(value)
        if size < low or (high is not None and size > high):
            return False
        for test, item in zip(checks, value, strict=False):
            if not test(item):
                return False
        return size <= len(checks) or all(map(last, value[len(checks) :]))

    return check


def exact_slots(checks: tuple[Check, ...]) -> Check:
    """Return a check for arrays with one item per given check: the usual Tuple."""
    size = len(checks)
    places = tuple(enumerate(checks))

    def check(value: Value) -> bool:
        if value.__class__ is not list or len(value) != size:
            return False
        for place, test in places:
            if not test(value[place]):
                return False
        return True

    return check


def build_hash(type_: m.HashType) -> Check:
    """Return a check for hashes by size, key and value."""
    key_check, value_check = checker(type_.key), checker(type_.value)
    low, high = type_.minimum, type_.high
    if key_check is always and value_check is always and not type_.has_size():
        return of_class(dict)
    plain = key_check is is_string

    def check(value: Value) -> bool:
        if value.__class__ is not dict:
            return False
        size = len(value)
        if size < low or (high is not None and size > high):
            return False
        for key, item in value.items():
            if plain:
                if key.__class__ is not str:
                    return False
            elif not key_check(from_key(key)):
                return False
            if not value_check(item):
                return False
        return True

    return check


def build_struct(type_: m.StructType) -> Check:
    """Return a check for hashes element by element, without other keys."""
    elements = tuple((item.name, checker(item.type), item.optional) for item in type_.elements)

    def check(value: Value) -> bool:
        if value.__class__ is not dict:
            return False
        found = 0
        for name, test, optional in elements:
            item = value.get(name, ABSENT)
            if item is not ABSENT:
                if not test(item):
                    return False
                found += 1
            elif not optional:
                return False
        return found == len(value)

    return check


# -- objects and aliases -------------------------------------------------------------------------


def build_object(type_: m.ObjectType) -> Check:
    """Return a check for objects of the type or a child; the bare Object accepts types too."""
    if type_ is m.OBJECT:
        return lambda value: isinstance(value, PcoreObject | Type)
    return lambda value: isinstance(value, PcoreObject) and value.type.is_within(type_)


def build_extension(type_: m.ObjectExtensionType) -> Check:
    """Return a check for objects of the base type whose attributes match the parameters."""
    of_base = checker(type_.base)

    def check(value: Value) -> bool:
        return of_base(value) and all(
            part_fits(wanted, value.attributes.get(name)) for name, wanted in type_.parameters
        )

    return check


def build_type_set(type_: m.TypeSetType) -> Check:
    """Return a check for TypeSets, which are values of the bare TypeSet."""
    if type_ is m.TYPE_SET:
        return lambda value: isinstance(value, m.TypeSetType)
    return never


def build_alias(type_: m.TypeAliasType) -> Check:
    """Return a check that looks up the definition on first use: it may be unset or recursive."""
    definition_check: Check | None = None

    def check(value: Value) -> bool:
        nonlocal definition_check
        if definition_check is None:
            if type_.definition is None:
                return False
            definition_check = checker(type_.definition)
        return definition_check(value)

    return check


def block_fits(expected: Type | None, block: m.CallableType | None) -> bool:
    """Return whether a block, or None, matches the block parameter of a signature."""
    if expected is None:
        return block is None
    return is_assignable(expected, m.UNDEF if block is None else block)


BUILDERS: dict[type[Type], Callable[[Any], Check]] = {
    m.AnyType: constant_check(always),
    m.UnitType: constant_check(always),
    m.UndefType: constant_check(is_undef),
    m.DefaultType: constant_check(is_default),
    m.ScalarType: constant_check(is_scalar),
    m.ScalarDataType: constant_check(is_scalar_data),
    m.NumericType: constant_check(is_number),
    m.BinaryType: constant_check(of_class(Binary)),
    m.SemVerRangeType: constant_check(of_class(SemVerRange)),
    m.CatalogEntryType: constant_check(never),
    m.ResourceType: constant_check(never),
    m.ClassType: constant_check(never),
    m.RuntimeType: lambda type_: (
        lambda value: value.__class__ in RUBY_OBJECTS and is_assignable(type_, infer(value))
    ),
    m.TypeReferenceType: constant_check(never),
    m.IntegerType: build_integer,
    m.FloatType: build_float,
    m.BooleanType: build_boolean,
    m.StringType: build_string,
    m.EnumType: build_enum,
    m.PatternType: build_pattern,
    m.RegexpType: build_regexp,
    m.SemVerType: build_semver,
    m.TimespanType: build_time(Timespan),
    m.TimestampType: build_time(Timestamp),
    m.URIType: build_uri,
    m.OptionalType: build_optional,
    m.NotUndefType: build_not_undef,
    m.VariantType: build_variant,
    m.SensitiveType: build_sensitive,
    m.TypeType: build_type,
    m.IterableType: build_iterable,
    m.IteratorType: build_iterator,
    m.CallableType: build_callable,
    m.InitType: build_init,
    m.CollectionType: build_collection,
    m.ArrayType: build_array,
    m.TupleType: build_tuple,
    m.HashType: build_hash,
    m.StructType: build_struct,
    m.ObjectType: build_object,
    m.ObjectExtensionType: build_extension,
    m.TypeSetType: build_type_set,
    m.TypeAliasType: build_alias,
}
