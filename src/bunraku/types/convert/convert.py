"""``new``: values of a type made of other values, ``Integer('5')``, ``Timestamp.new('2020-01-01')``."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from bunraku.base.errors import Words
from bunraku.types import model as m
from bunraku.types.convert import issues
from bunraku.types.convert.collections import array_from, hash_from, hash_from_tree, is_tree
from bunraku.types.convert.formats import format_value
from bunraku.types.convert.numbers import boolean_from, float_from, integer_from, numeric_from
from bunraku.types.init import arguments_fit, new_signatures
from bunraku.types.mismatch import describe_call, describe_mismatch
from bunraku.types.mismatch import wrong_count as counted_problem
from bunraku.types.model import Type
from bunraku.types.parameters.parameters import TypeLoader
from bunraku.types.parse import parse_type
from bunraku.types.relations.instance import is_instance
from bunraku.types.text.display import display
from bunraku.values.binary import Binary
from bunraku.values.default import DEFAULT
from bunraku.values.pcore import PcoreObject
from bunraku.values.regexp.regexp import Regexp, escape, regexp_from_string
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import UNITS, Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import QUALIFIER, SemVer, SemVerRange, check_prerelease

Value = Any
Arguments = list[Value]

ABSENT: Any = object()


def new(
    type_: Type,
    arguments: Arguments,
    *,
    loader: TypeLoader | None = None,
    now: Callable[[], float] = time.time,
) -> Value:
    """Return a value of a type made of arguments; a value of the type is returned unchanged.

    ``loader`` serves ``Type.new('Name')``, ``now`` serves ``Timestamp.new()``.

    >>> new(m.IntegerType(), ["0x1F"]), new(m.ArrayType(), ["ab"])
    (31, ['a', 'b'])
    """
    if isinstance(type_, m.IntegerType) and type_.low is type_.high is None:
        given = arguments[0] if len(arguments) == 1 else None
        if given.__class__ is str and len(given) < 19 and given.isascii() and given.isdigit():
            if given[0] != "0":  # with which other radixes begin
                return int(given)
    target = m.resolved(type_)
    if isinstance(target, m.InitType):  # it accepts other values than it creates
        return Maker(loader, now).make(target, arguments)
    if len(arguments) == 1 and is_instance(arguments[0], type_):
        return arguments[0]
    value = Maker(loader, now).make(target, arguments)
    if not is_instance(value, type_):
        raise issues.CONVERTED_MISMATCH(
            mismatch=describe_mismatch(
                f"Converted value from {display(type_)}.new()", type_, value
            ),
            words=describe_mismatch(
                f"Converted value from {display(type_)}.new() has wrong type,", type_, value
            ),
        )
    return value


class Maker:
    """Makes values; ``loader`` and ``now`` as :func:`new` has them."""

    def __init__(self, loader: TypeLoader | None, now: Callable[[], float]) -> None:
        self.loader = loader
        self.now = now

    def make(self, type_: Type, arguments: Arguments) -> Value:
        """Return a value by the rules of a type's class; its parameters are checked afterwards."""
        type_ = m.resolved(type_)
        if isinstance(type_, m.OptionalType | m.NotUndefType) and type_.type is not None:
            if len(arguments) == 1 and is_instance(arguments[0], type_):
                return arguments[0]
            return self.make(type_.type, arguments)
        if isinstance(type_, m.InitType) and type_.type is not None:
            return self.initialized(type_, type_.type, arguments)
        if isinstance(type_, m.ObjectExtensionType):
            type_ = type_.base
        if isinstance(type_, m.ObjectType) and type_ is not m.OBJECT:
            return new_object(type_, arguments)
        if isinstance(type_, m.TypeType):
            return self.new_type(type_, arguments)
        if isinstance(type_, m.TimestampType) and not arguments:
            return Timestamp(round(self.now() * 1_000_000_000))
        maker = MAKERS.get(type_.__class__)
        if maker is None:
            raise issues.NO_NEW(type=display(type_))
        return maker(type_, arguments)

    def initialized(self, type_: m.InitType, inner: Type, arguments: Arguments) -> Value:
        """Return ``T.new(value, a)`` for ``Init[T, a]``; alone, an array may hold all arguments.

        ``Init[String]`` takes any array for its arguments, though String would take the array too.
        """
        if len(arguments) != 1:
            raise wrong_count(display(type_), arguments, 1, 1)
        value = arguments[0]
        further = list(type_.arguments)
        signatures = new_signatures(inner)
        inner = m.resolved(inner)
        spread = (
            value.__class__ is list
            and not further
            and (
                isinstance(inner, m.StringType)
                or not any(arguments_fit(accepted, [value], is_instance) for accepted in signatures)
            )
        )
        arguments = list(value) if spread else [value, *further]
        return new(inner, arguments, loader=self.loader, now=self.now)

    def new_type(self, type_: m.TypeType, arguments: Arguments) -> Type:
        """Return the value of ``Type.new('Integer[1, 2]')``."""
        if len(arguments) != 1 or arguments[0].__class__ is not str:
            raise wrong_arguments(type_, arguments)
        return parse_type(arguments[0], self.loader)


# -- errors --------------------------------------------------------------------------------------


def wrong_count(name: str, arguments: Arguments, low: int, high: int) -> Exception:
    """Return the error for too many or too few arguments."""
    expected = (
        f"{low} argument{'s' if low > 1 else ''}" if low == high else f"{low} to {high} arguments"
    )
    problem = counted_problem(low, high, len(arguments)).removeprefix("expects ")
    function = {"Integer": "new", "Regexp": "new_float"}.get(name, f"new_{name.lower()}")
    return issues.CONVERSION_COUNT(
        name=name, expected=expected, count=len(arguments), function=function, wanted=problem
    )


def wrong_arguments(type_: Type, arguments: Arguments) -> Exception:
    """Return the error for arguments that no form of ``new`` takes."""
    name = f"{display(type_)}.new"
    return issues.CONVERSION_MISMATCH(mismatch=refused_call(name, type_, arguments))


def refused_call(name: str, type_: Type, arguments: Arguments) -> Words:
    """Return why no form of ``new`` takes the arguments, in bunraku's and in Puppet's words."""

    def in_puppet() -> str:
        from bunraku.types.new_words import arguments_refusal

        return arguments_refusal(type_, arguments)

    return Words(describe_call(name, new_signatures(type_), arguments), in_puppet)


def check_count(name: str, arguments: Arguments, low: int, high: int) -> None:
    """Refuse too many or too few arguments."""
    if not low <= len(arguments) <= high:
        raise wrong_count(name, arguments, low, high)


# -- numbers -------------------------------------------------------------------------------------


def from_hash(value: Value, names: frozenset[str]) -> dict[str, Value] | None:
    """Return the hash form ``{ from => …, … }`` of arguments; None for any other value."""
    if value.__class__ is dict and "from" in value and set(value) <= names:
        return value
    return None


INTEGER_NAMES = frozenset({"from", "radix", "abs"})
NUMBER_NAMES = frozenset({"from", "abs"})


def new_integer(type_: Type, arguments: Arguments) -> int:
    """Return the value of ``Integer.new(value, radix, abs)``."""
    check_count("Integer", arguments, 1, 3)
    parts: list[Any] = [*arguments, *[DEFAULT, False][len(arguments) - 1 :]]
    value, radix, absolute = parts
    if len(arguments) == 1 and value.__class__ is dict:
        given = from_hash(value, INTEGER_NAMES)
        if given is None:
            raise wrong_arguments(type_, arguments)
        value, radix = given["from"], given.get("radix", DEFAULT)
        absolute = given.get("abs", False)
    if (radix is not DEFAULT and radix.__class__ is not int) or absolute.__class__ is not bool:
        raise wrong_arguments(type_, arguments)
    return integer_from(value, radix, absolute)


def with_absolute(name: str, convert: Callable[[Value, bool], Value]) -> Any:
    """Return the value of ``Float.new(value, abs)``, ``Numeric.new(value, abs)``."""

    def maker(type_: Type, arguments: Arguments) -> Value:
        check_count(name, arguments, 1, 2)
        value, absolute = (*arguments, False)[:2]
        if len(arguments) == 1 and (given := from_hash(value, NUMBER_NAMES)) is not None:
            value, absolute = given["from"], given.get("abs", False)
        if absolute.__class__ is not bool:
            raise wrong_arguments(type_, arguments)
        return convert(value, absolute)

    return maker


def new_boolean(_type: Type, arguments: Arguments) -> bool:
    """Return the value of ``Boolean.new(value)``."""
    check_count("Boolean", arguments, 1, 1)
    return boolean_from(arguments[0])


# -- text ----------------------------------------------------------------------------------------


def new_string(_type: Type, arguments: Arguments) -> str:
    """Return the value of ``String.new(value, formats)``."""
    check_count("String", arguments, 1, 2)
    return format_value(*arguments)


def new_regexp(type_: Type, arguments: Arguments) -> Regexp:
    """Return the value of ``Regexp.new(pattern, escape)``."""
    check_count("Regexp", arguments, 1, 2)
    pattern, escaped = (*arguments, False)[:2]
    if pattern.__class__ is not str or escaped.__class__ is not bool:
        raise wrong_arguments(type_, arguments)
    return regexp_from_string(escape(pattern) if escaped else pattern)


BINARY_FORMATS: dict[str, Callable[[str], Binary]] = {
    "%b": Binary.from_base64,
    "%u": Binary.from_url_safe_base64,
    "%B": Binary.from_strict_base64,
    "%s": Binary.from_text,
    "%r": Binary.from_text,
}


def new_binary(type_: Type, arguments: Arguments) -> Binary:
    """Return the value of ``Binary.new`` of text and format, of bytes, or of a hash of these."""
    check_count("Binary", arguments, 1, 2)
    value, format_ = (*arguments, "%B")[:2]
    if len(arguments) == 1 and value.__class__ is dict:
        if "value" not in value or set(value) - {"value", "format"}:
            raise wrong_arguments(type_, arguments)
        if value["value"].__class__ is list and "format" in value:
            raise wrong_arguments(type_, arguments)
        value, format_ = value["value"], value.get("format", "%B")
    if value.__class__ is list and len(arguments) == 1:
        if all(item.__class__ is int and 0 <= item <= 255 for item in value):
            return Binary(bytes(value))
        raise wrong_arguments(type_, arguments)
    if value.__class__ is not str or format_.__class__ is not str or format_ not in BINARY_FORMATS:
        raise wrong_arguments(type_, arguments)
    return BINARY_FORMATS[format_](value)


# -- collections ---------------------------------------------------------------------------------


def new_array(type_: Type, arguments: Arguments) -> list[Value]:
    """Return the value of ``Array.new(value, wrap)``, ``Tuple.new``."""
    check_count("Array", arguments, 1, 2)
    value, wrap = (*arguments, False)[:2]
    if wrap.__class__ is not bool:
        raise wrong_arguments(type_, arguments)
    return array_from(value, wrap)


def new_hash(type_: Type, arguments: Arguments) -> dict[Any, Value]:
    """Return the value of ``Hash.new(value)``, ``Hash.new(paths, 'tree')``, ``Struct.new``."""
    check_count("Hash", arguments, 1, 2)
    if len(arguments) == 1:
        return hash_from(arguments[0])
    entries, mode = arguments
    if mode.__class__ is not str or mode not in {"tree", "hash_tree"}:
        raise wrong_arguments(type_, arguments)
    if not is_tree(entries):
        raise issues.TREE_PAIRS(mode=mode)
    return hash_from_tree(entries, mode == "hash_tree")


# -- versions ------------------------------------------------------------------------------------


def new_semver(type_: Type, arguments: Arguments) -> SemVer:
    """Return the value of ``SemVer.new`` of text, of its parts or of a hash of them."""
    check_count("SemVer", arguments, 1, 5)
    if len(arguments) == 1 and arguments[0].__class__ is str:
        return SemVer.parse(arguments[0])
    parts = arguments
    if len(arguments) == 1 and arguments[0].__class__ is dict:
        given = arguments[0]
        if set(given) - set(SemVer.ATTRIBUTES):
            raise wrong_arguments(type_, arguments)
        parts = [given.get(name, ABSENT) for name in SemVer.ATTRIBUTES]
    elif len(arguments) < 3:
        raise wrong_arguments(type_, arguments)
    parts = [*parts, ABSENT, ABSENT][:5]
    for number in parts[:3]:
        if number.__class__ is not int or number < 0:
            raise wrong_arguments(type_, arguments)
    for qualifier in parts[3:]:
        if qualifier is not ABSENT and (
            qualifier.__class__ is not str or not QUALIFIER.match(qualifier)
        ):
            raise wrong_arguments(type_, arguments)
    prerelease, build = (None if part is ABSENT else part for part in parts[3:])
    check_prerelease(prerelease)
    return SemVer(parts[0], parts[1], parts[2], prerelease, build)


RANGE_NAMES = ("min", "max", "exclude_max")


def new_semver_range(type_: Type, arguments: Arguments) -> SemVerRange:
    """Return the value of ``SemVerRange.new`` of text, of its bounds or of a hash of them."""
    check_count("SemVerRange", arguments, 1, 3)
    parts = arguments
    if len(arguments) == 1:
        given = arguments[0]
        if given.__class__ is str and given:
            return SemVerRange.parse(given)
        if given.__class__ is not dict or "min" not in given or set(given) - set(RANGE_NAMES):
            raise wrong_arguments(type_, arguments)
        parts = [given["min"], given.get("max", DEFAULT), given.get("exclude_max", False)]
    low, high, exclude = (*parts, False)[:3]
    for bound in (low, high):
        if bound is not DEFAULT and bound.__class__ is not SemVer:
            raise wrong_arguments(type_, arguments)
    if exclude.__class__ is not bool:
        raise wrong_arguments(type_, arguments)
    return SemVerRange.between(
        None if low is DEFAULT else low, None if high is DEFAULT else high, exclude
    )


# -- times ---------------------------------------------------------------------------------------


def are_formats(value: Value) -> bool:
    """Return whether a value is a format or an array of them."""
    if value.__class__ is list:
        return bool(value) and all(item.__class__ is str and len(item) > 1 for item in value)
    return value.__class__ is str and len(value) > 1


def time_from_text(
    parse: Callable[..., Value], names: tuple[str, ...], type_: Type, arguments: Arguments
) -> Value:
    """Return a time from text, formats and (a Timestamp) a zone, given in order or as a hash."""
    parts = arguments
    if len(arguments) == 1 and arguments[0].__class__ is dict:
        given = arguments[0]
        if "string" not in given or set(given) - set(names):
            raise wrong_arguments(type_, arguments)
        parts = [given.get(name, ABSENT) for name in names]
    if len(parts) > len(names):
        raise wrong_arguments(type_, arguments)
    text, formats, zone = [*parts, ABSENT, ABSENT, ABSENT][:3]
    if text.__class__ is not str or not text:
        raise wrong_arguments(type_, arguments)
    if formats is not ABSENT and not are_formats(formats):
        raise wrong_arguments(type_, arguments)
    if zone is not ABSENT and (zone.__class__ is not str or not zone):
        raise wrong_arguments(type_, arguments)
    further = [None if part is ABSENT else part for part in (formats, zone)]
    return parse(text, *further[: len(names) - 1])


def new_timespan(type_: Type, arguments: Arguments) -> Timespan:
    """Return the value of ``Timespan.new`` of seconds, of text, or of units in order or a hash."""
    check_count("Timespan", arguments, 1, 7)
    first = arguments[0]
    if len(arguments) == 1 and (first.__class__ is int or first.__class__ is float):
        return Timespan.from_seconds(first)
    if first.__class__ is str or (first.__class__ is dict and "string" in first):
        names = ("string", "format")
        return time_from_text(Timespan.parse, names, type_, arguments)  # type: ignore[no-any-return]
    if first.__class__ is dict and len(arguments) == 1:
        given = dict(first)
        negative = given.pop("negative", False)
        if negative.__class__ is not bool or set(given) - set(UNITS):
            raise wrong_arguments(type_, arguments)
    else:
        given = dict(zip(UNITS, arguments, strict=False))
        negative = False
        if len(arguments) < 4:
            raise wrong_arguments(type_, arguments)
    if any(number.__class__ is not int for number in given.values()):
        raise wrong_arguments(type_, arguments)
    return Timespan.from_fields(negative=negative, **given)


def new_timestamp(type_: Type, arguments: Arguments) -> Timestamp:
    """Return the value of ``Timestamp.new`` of seconds or text, by default the current time."""
    check_count("Timestamp", arguments, 0, 3)
    first = arguments[0]
    if len(arguments) == 1 and (first.__class__ is int or first.__class__ is float):
        return Timestamp.from_seconds(first)
    names = ("string", "format", "timezone")
    return time_from_text(Timestamp.parse, names, type_, arguments)  # type: ignore[no-any-return]


# -- others --------------------------------------------------------------------------------------


def new_uri(type_: Type, arguments: Arguments) -> URI:
    """Return the value of ``URI.new`` of text or of a hash of parts."""
    check_count("URI", arguments, 1, 1)
    given = arguments[0]
    if given.__class__ is str and given:
        return URI.parse(given)
    if given.__class__ is not dict or set(given) - set(URI.ATTRIBUTES):
        raise wrong_arguments(type_, arguments)
    for name, part in given.items():
        wanted = (
            part.__class__ is int and part >= 0
            if name == "port"
            else part.__class__ is str and part
        )
        if not wanted:
            raise wrong_arguments(type_, arguments)
    return URI.from_parts(given)


def new_sensitive(_type: Type, arguments: Arguments) -> Sensitive:
    """Return the value of ``Sensitive.new``; a nested secret is unwrapped first."""
    check_count("Sensitive", arguments, 1, 1)
    value = arguments[0]
    return Sensitive(value.value if value.__class__ is Sensitive else value)


def new_object(type_: m.ObjectType, arguments: Arguments) -> PcoreObject:
    """Return an object: attributes in order, or one hash of them by name."""
    attributes = type_.constructor_attributes()
    given = named_attributes(attributes, arguments)
    if given is None:
        given = dict(zip((item.name for item in attributes), arguments, strict=False))
        fits = len(arguments) <= len(attributes) and all(
            item.name in given or not item.required for item in attributes
        )
        if not fits or not attributes_fit(attributes, given):
            raise issues.CONVERSION_MISMATCH(
                mismatch=refused_call(f"{type_.name}.new", type_, arguments)
            )
    values = {}
    for item in attributes:
        value = given.get(item.name, item.value)
        if value is not m.MISSING:
            values[item.name] = value
    return PcoreObject(type_, values)


def named_attributes(
    attributes: list[m.ObjectAttribute], arguments: Arguments
) -> dict[str, Value] | None:
    """Return the one hash of attributes by name; None where the arguments are something else."""
    if len(arguments) != 1 or arguments[0].__class__ is not dict:
        return None
    given: dict[str, Value] = arguments[0]
    names = {item.name for item in attributes}
    absent = [item for item in attributes if item.required and item.name not in given]
    if set(given) - names or not all(is_instance(None, item.type) for item in absent):
        return None
    if not attributes_fit(attributes, given):
        return None
    return given | {item.name: None for item in absent}


def attributes_fit(attributes: list[m.ObjectAttribute], given: dict[str, Value]) -> bool:
    """Return whether each value given is of its attribute's type."""
    return all(
        is_instance(given[item.name], item.type) for item in attributes if item.name in given
    )


MAKERS: dict[type[Type], Callable[[Any, Arguments], Value]] = {
    m.IntegerType: new_integer,
    m.FloatType: with_absolute("Float", float_from),
    m.NumericType: with_absolute("Numeric", numeric_from),
    m.BooleanType: new_boolean,
    m.StringType: new_string,
    m.RegexpType: new_regexp,
    m.BinaryType: new_binary,
    m.ArrayType: new_array,
    m.TupleType: new_array,
    m.HashType: new_hash,
    m.StructType: new_hash,
    m.SemVerType: new_semver,
    m.SemVerRangeType: new_semver_range,
    m.TimespanType: new_timespan,
    m.TimestampType: new_timestamp,
    m.URIType: new_uri,
    m.SensitiveType: new_sensitive,
}
