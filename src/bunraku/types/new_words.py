"""The functions that make values, as Puppet names them and their parameters in errors."""

from __future__ import annotations

from bunraku.base.records import replace
from bunraku.types import model as m
from bunraku.types.init import new_signatures
from bunraku.types.mismatch_words import call
from bunraku.types.model import CallableType, Type

NAMES: dict[type[Type], str] = {
    m.SemVerType: "new_Version",
    m.SemVerRangeType: "new_VersionRange",
    m.BinaryType: "new_Binary",
    m.SensitiveType: "new_Sensitive",
    m.InitType: "new_Init",
    m.TupleType: "new_array",
    m.StructType: "new_hash",
    m.IntegerType: "new",
    m.RegexpType: "new_float",
    m.URIType: "new_error",
}
"""Functions whose names are not ``new_`` and the name of the type in small letters."""
TIMES = ("days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds")
PARAMETERS: dict[type[Type], tuple[tuple[str, ...], ...]] = {
    m.IntegerType: (("from", "radix", "abs"), ("hash_args",)),
    m.FloatType: (("from", "abs"), ("hash_args",)),
    m.NumericType: (("from", "abs"), ("hash_args",)),
    m.BooleanType: (("from",),),
    m.StringType: (("from", "string_formats"),),
    m.ArrayType: (("from", "wrap"),),
    m.TupleType: (("from", "wrap"),),
    m.SemVerType: (("str",), ("major", "minor", "patch", "prerelease", "build"), ("hash_args",)),
    m.SemVerRangeType: (("str",), ("min", "max", "exclude_max"), ("hash_args",)),
    m.BinaryType: (("str", "format"), ("byte_array",), ("hash_args",)),
    m.TimespanType: (("seconds",), ("string", "format"), TIMES, ("hash_arg",), ("hash_arg",)),
    m.TimestampType: ((), ("seconds",), ("string", "format", "timezone"), ("hash_arg",)),
    m.URIType: (("uri",), ("hash",)),
    m.RegexpType: (("pattern", "escape"),),
    m.TypeType: (("type_string",),),
}
"""The names of the parameters of each signature."""


def arguments_refusal(type_: Type, arguments: list[object]) -> str:
    """Return Puppet's text for arguments that ``new`` of a type does not take."""
    return call(function_name(m.resolved(type_)), list(named_signatures(type_)), arguments, None)


def function_name(type_: Type) -> str:
    """Return the name of the function that makes values of a type."""
    if isinstance(type_, m.ObjectType):
        return f"new_{type_.name}"
    name = type_.__class__.__name__.removesuffix("Type")
    return NAMES.get(type_.__class__, f"new_{name.lower()}")


def named_signatures(type_: Type) -> list[CallableType]:
    """Return the signatures of ``new``, with names; those of objects begin with the hash."""
    signatures = new_signatures(type_)
    type_ = m.resolved(type_)
    if isinstance(type_, m.ObjectType):
        by_position, by_name = signatures
        names = tuple(item.name for item in type_.constructor_attributes())
        return [replace(by_name, names=("hash",)), replace(by_position, names=names)]
    names_of_all = PARAMETERS.get(type_.__class__, ())
    if len(names_of_all) != len(signatures):
        return signatures
    return [
        replace(
            signature,
            names=names[: len(signature.parameters or ())],
            parameters=with_formats(signature.parameters),
        )
        for signature, names in zip(signatures, names_of_all, strict=True)
    ]


FORMATS = m.VariantType((m.StringType(1), m.ArrayType(m.StringType(1), 1)))
NAMED_FORMATS = m.TypeAliasType(
    "Formats", m.VariantType((m.StringType(2), m.ArrayType(m.StringType(2), 1)))
)
"""The type of formats of times, which Puppet shows by a name, and with another size."""


def with_formats(part: object) -> object:
    """Return a type, or parts of one, with the name of the type of formats."""
    if part == FORMATS:
        return NAMED_FORMATS
    if isinstance(part, tuple):
        return tuple(map(with_formats, part))
    if isinstance(part, m.StructElement):
        return replace(part, type=with_formats(part.type))
    return (
        replace(part, elements=with_formats(part.elements))
        if isinstance(part, m.StructType)
        else part
    )
