"""The types of the arguments of ``new`` for each type: the meaning of ``Init[T]``.

The conversions themselves are in :mod:`bunraku.types.convert.convert`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from bunraku.types import issues
from bunraku.types import model as m
from bunraku.types.model import CallableType, Type
from bunraku.types.text.display import accepts_undef, display

Value = Any

TEXT = m.StringType()
NON_EMPTY = m.StringType(1)
INTEGER = m.IntegerType()
BOOLEAN = m.BooleanType()
SPACES = r"[ \t\r\n]*"
INTEGER_TEXT = rf"\A[+-]?{SPACES}(0[xX][0-9A-Fa-f]+|0[bB][01]+|0[oO]?[0-7]+|[1-9][0-9]*|0)\z"
NUMBER_TEXT = (
    rf"\A[+-]?{SPACES}(0[xX][0-9A-Fa-f]+|0[bB][01]+|"
    r"[0-9]+(\.[0-9]+)?([eE]-?[0-9]+)?)\z"
)
SEMVER_TEXT = (
    r"\A(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)"
    r"(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?\z"
)
RADIX = m.VariantType(
    (
        m.DEFAULT_TYPE,
        m.IntegerType(2, 2),
        m.IntegerType(8, 8),
        m.IntegerType(10, 10),
        m.IntegerType(16, 16),
    )
)
TIMES = (m.TimespanType(), m.TimestampType())
TRUTH_TEXT = m.EnumType(("false", "n", "no", "true", "y", "yes"), case_insensitive=True)
URI_PARTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque")
TIME_UNITS = ("days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds")


def signature(*parameters: Type, low: int | None = None, high: int | None = None) -> CallableType:
    """Return a list of parameters; the first ``low`` are required."""
    count = len(parameters)
    return CallableType(parameters, count if low is None else low, high or count)


def struct(optional: dict[str, Type], **required: Type) -> Type:
    """Return a Struct of required and optional keys."""
    needed = (m.StructElement(name, type_) for name, type_ in required.items())
    rest = (m.StructElement(name, type_, optional=True) for name, type_ in optional.items())
    return m.StructType((*needed, *rest))


@cache
def fixed_signatures() -> dict[type[Type], list[CallableType]]:
    """Return the signatures of ``new`` that do not depend on type parameters."""
    integer_like = m.VariantType((m.NUMERIC, BOOLEAN, m.PatternType((INTEGER_TEXT,)), *TIMES))
    number_like = m.VariantType((m.NUMERIC, BOOLEAN, m.PatternType((NUMBER_TEXT,)), *TIMES))
    number = [
        signature(number_like, BOOLEAN, low=1),
        signature(struct({"abs": BOOLEAN}, **{"from": number_like})),
    ]
    any_or_format = m.VariantType((TEXT, m.HashType()))
    array = [
        signature(
            m.VariantType((m.ArrayType(), m.HashType(), m.BINARY, m.IterableType())), BOOLEAN, low=1
        )
    ]
    tree = m.EnumType(("hash_tree", "tree"))
    hashed = [signature(m.ANY, tree, low=1)]
    byte_text = m.EnumType(("%B", "%b", "%r", "%s", "%u"))
    version_part = m.IntegerType(0)
    version_or_default = m.VariantType((m.DEFAULT_TYPE, m.SemVerType()))
    formats = m.VariantType((NON_EMPTY, m.ArrayType(NON_EMPTY, 1)))
    seconds = m.VariantType((INTEGER, m.FloatType()))
    whole: dict[str, Type] = dict.fromkeys(TIME_UNITS, INTEGER)
    uri: dict[str, Type] = dict.fromkeys(URI_PARTS, NON_EMPTY)
    uri["port"] = m.IntegerType(0)
    return {
        m.NumericType: number,
        m.FloatType: number,
        m.IntegerType: [
            signature(integer_like, RADIX, BOOLEAN, low=1),
            signature(struct({"radix": RADIX, "abs": BOOLEAN}, **{"from": integer_like})),
        ],
        m.BooleanType: [signature(m.VariantType((m.NUMERIC, BOOLEAN, TRUTH_TEXT)))],
        m.StringType: [signature(m.ANY, any_or_format, low=1)],
        m.ArrayType: array,
        m.TupleType: array,
        m.HashType: hashed,
        m.StructType: hashed,
        m.BinaryType: [
            signature(TEXT, byte_text, low=1),
            signature(m.ArrayType(m.IntegerType(0, 255))),
            signature(struct({"format": byte_text}, value=TEXT)),
        ],
        m.SemVerType: [
            signature(m.PatternType((SEMVER_TEXT,))),
            signature(version_part, version_part, version_part, NON_EMPTY, NON_EMPTY, low=3),
            signature(
                struct(
                    {"prerelease": NON_EMPTY, "build": NON_EMPTY},
                    major=version_part,
                    minor=version_part,
                    patch=version_part,
                )
            ),
        ],
        m.SemVerRangeType: [
            signature(NON_EMPTY),
            signature(version_or_default, version_or_default, BOOLEAN, low=2),
            signature(
                struct({"max": version_or_default, "exclude_max": BOOLEAN}, min=version_or_default)
            ),
        ],
        m.TimespanType: [
            signature(seconds),
            signature(NON_EMPTY, formats, low=1),
            signature(*[INTEGER] * 7, low=4),
            signature(struct({"format": formats}, string=NON_EMPTY)),
            signature(struct({"negative": BOOLEAN, **whole})),
        ],
        m.TimestampType: [
            CallableType((), 0, 0),
            signature(seconds),
            signature(NON_EMPTY, formats, NON_EMPTY, low=1),
            signature(struct({"format": formats, "timezone": NON_EMPTY}, string=NON_EMPTY)),
        ],
        m.URIType: [signature(NON_EMPTY), signature(struct(uri))],
        m.RegexpType: [signature(TEXT, BOOLEAN, low=1)],
        m.SensitiveType: [signature(m.ANY)],
        m.TypeType: [signature(NON_EMPTY)],
    }


def new_signatures(type_: Type) -> list[CallableType]:
    """Return the signatures of a type's ``new``; raise PuppetError where it has none."""
    given = type_
    type_ = m.resolved(type_)
    if isinstance(type_, m.ObjectExtensionType):
        type_ = type_.base
    if isinstance(type_, m.ObjectType) and type_ is not m.OBJECT:
        return object_signatures(type_)
    found = fixed_signatures().get(type_.__class__)
    if found is None:
        raise issues.NO_NEW(type=display(given))
    return found


def object_signatures(type_: m.ObjectType) -> list[CallableType]:
    """Return the signatures by position, and by name in one hash."""
    attributes = type_.constructor_attributes()
    required = sum(item.required for item in attributes)
    by_position = CallableType(tuple(item.type for item in attributes), required, len(attributes))
    elements = tuple(
        m.StructElement(item.name, item.type, not item.required or accepts_undef(item.type))
        for item in attributes
    )
    return [by_position, signature(m.StructType(elements))]


def takes_arguments(
    signatures: list[CallableType],
    value: Value,
    further: tuple[Value, ...],
    is_instance: Callable[[Value, Type], bool],
) -> bool:
    """Return whether ``new`` takes a value (or, as an array, several) and further arguments."""
    for accepted in signatures:
        if arguments_fit(accepted, [value, *further], is_instance):
            return True
        if (
            value.__class__ is list
            and not further
            and accepted.high != 1
            and arguments_fit(accepted, value, is_instance)
        ):
            return True
    return False


def arguments_fit(
    accepted: CallableType,
    arguments: list[Value],
    is_instance: Callable[[Value, Type], bool],
) -> bool:
    """Return whether arguments match a list of parameters."""
    count = len(arguments)
    if count < (accepted.low or 0) or (accepted.high is not None and count > accepted.high):
        return False
    return all(
        is_instance(argument, accepted.parameter(position))
        for position, argument in enumerate(arguments)
    )
