"""The names of the built-in types, in any letter case."""

from __future__ import annotations

from bunraku.types import builtin
from bunraku.types import model as m
from bunraku.types.model import Type

TYPES: dict[str, Type] = {
    "Annotation": builtin.ANNOTATION,
    "Any": m.ANY,
    "Array": m.ArrayType(),
    "Binary": m.BINARY,
    "Boolean": m.BooleanType(),
    "Callable": m.CallableType(),
    "CatalogEntry": m.CATALOG_ENTRY,
    "Class": m.ClassType(),
    "Collection": m.CollectionType(),
    "Data": builtin.DATA,
    "Default": m.DEFAULT_TYPE,
    "Deferred": builtin.DEFERRED,
    "Enum": m.EnumType(),
    "Error": builtin.ERROR,
    "Float": m.FloatType(),
    "Hash": m.HashType(),
    "Init": m.InitType(),
    "Integer": m.IntegerType(),
    "Iterable": m.IterableType(),
    "Iterator": m.IteratorType(),
    "NotUndef": m.NotUndefType(),
    "Numeric": m.NUMERIC,
    "Object": m.OBJECT,
    "Optional": m.OptionalType(),
    "Pattern": m.PatternType(),
    "Pcore": builtin.PCORE,
    "Puppet::LookupContext": builtin.LOOKUP_CONTEXT,
    "Puppet::LookupKey": builtin.LOOKUP_KEY,
    "Puppet::LookupValue": builtin.LOOKUP_VALUE,
    "Puppet::Resource::Param": builtin.RESOURCE_PARAMETER,
    "Puppet::Resource::ResourceType3": builtin.RESOURCE_TYPE,
    "Regexp": m.RegexpType(),
    "Resource": m.ResourceType(),
    "RichData": builtin.RICH_DATA,
    "RichDataKey": builtin.RICH_DATA_KEY,
    "Runtime": m.RuntimeType(),
    "Scalar": m.SCALAR,
    "ScalarData": m.SCALAR_DATA,
    "SemVer": m.SemVerType(),
    "SemVerRange": m.SEMVER_RANGE,
    "Sensitive": m.SensitiveType(),
    "String": m.StringType(),
    "Struct": m.StructType(),
    "Timespan": m.TimespanType(),
    "Timestamp": m.TimestampType(),
    "Tuple": m.TupleType(),
    "Type": m.TypeType(),
    "TypeAlias": m.TypeAliasType("UnresolvedAlias"),
    "TypeReference": m.TypeReferenceType("UnresolvedReference"),
    "TypeSet": m.TYPE_SET,
    "URI": m.URIType(),
    "Undef": m.UNDEF,
    "Variant": m.VariantType(),
}
"""The types without parameters, by name as written."""

BY_LOWER_CASE = {name.lower(): type_ for name, type_ in TYPES.items()}


def builtin_type(name: str) -> Type | None:
    """Return the built-in type of a name, in any letter case; None when there is none.

    >>> builtin_type("integer")
    IntegerType(low=None, high=None)
    >>> builtin_type("File") is None
    True
    """
    return BY_LOWER_CASE.get(name.lower())
