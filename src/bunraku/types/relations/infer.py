"""The type of a value: reduced (one element type an array), detailed (Tuple, Struct), generalised."""

# ruff: noqa: ARG005 - rules of one table have one signature

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bunraku.types import model as m
from bunraku.types.model import Type
from bunraku.types.relations.common import common_type, generalize
from bunraku.values.binary import Binary
from bunraku.values.default import Default
from bunraku.values.iterator import Iterator
from bunraku.values.keys import keys
from bunraku.values.pcore import PcoreObject
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.ruby_object import RubyReference, Symbol
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import DEFAULT_PORTS, URI
from bunraku.values.version import SemVer, SemVerRange

Value = Any


def infer(value: Value) -> Type:
    """Return the type of a value; arrays and hashes have the common type of their elements.

    >>> infer([1, 3])
    ArrayType(element=IntegerType(low=1, high=3), low=2, high=2)
    """
    rule = RULES.get(value.__class__)
    if rule is not None:
        return rule(value)
    return infer_other(value)


def infer_other(value: Value) -> Type:
    """Return the type of a type or of a callable value."""
    if isinstance(value, Type):
        return m.TypeType(value)
    tell = getattr(value, "callable_type", None)
    if tell is not None:
        found: Type = tell()
        return found
    if isinstance(value, PcoreObject):  # of a class of its own, as contexts of Hiera are
        return infer_object(value)
    return m.RuntimeType("python", value.__class__.__name__)


def infer_array(value: list[Value]) -> Type:
    """Return the type ``Array[T, n, n]``."""
    if not value:
        return EMPTY_ARRAY
    return m.ArrayType(common_of(value), len(value), len(value))


def infer_hash(value: dict[Any, Value]) -> Type:
    """Return the type ``Hash[K, V, n, n]``."""
    if not value:
        return EMPTY_HASH
    size = len(value)
    return m.HashType(common_of(keys(value)), common_of(list(value.values())), size, size)


def common_of(values: list[Value]) -> Type:
    """Return the common type of several values."""
    found = infer(values[0])
    for value in values[1:]:
        found = common_type(found, infer(value))
    return found


def infer_uri(value: URI) -> Type:
    """Return the type of a URI, with its parts."""
    return m.URIType(uri_parts(value))


def uri_parts(value: URI) -> tuple[tuple[str, Any], ...]:
    """Return the parts of a URI without a default port; other ports are strings in Puppet."""
    parts = value.parts()
    port = parts.pop("port", None)
    if port is None or port == DEFAULT_PORTS.get(value.scheme or ""):
        return tuple(parts.items())
    names = value.ATTRIBUTES
    parts["port"] = str(port)
    return tuple((name, parts[name]) for name in names if name in parts)


def infer_object(value: PcoreObject) -> Type:
    """Return the type of an object; attributes give the values of its type parameters."""
    type_: m.ObjectType = value.type
    names = type_.all_type_parameters()
    if not names:
        return type_
    given = value.attributes
    return m.ObjectExtensionType(type_, tuple((name, given.get(name)) for name in names))


def infer_reference(value: RubyReference) -> Type:
    """Return the type ``Runtime[ruby, 'Time']``; for a Ruby class, the type of that."""
    type_ = m.RuntimeType("ruby", value.class_name)
    return m.TypeType(type_) if value.is_class else type_


EMPTY_ARRAY = m.ArrayType(m.UNIT, 0, 0)
EMPTY_HASH = m.HashType(m.UNIT, m.UNIT, 0, 0)
SYMBOL = m.RuntimeType("ruby", "Symbol")

RULES: dict[type, Callable[[Any], Type]] = {
    type(None): lambda value: m.UNDEF,
    str: lambda value: m.StringType(value=value),
    int: lambda value: m.IntegerType(value, value),
    float: lambda value: m.FloatType(value, value),
    bool: m.BooleanType,
    list: infer_array,
    dict: infer_hash,
    Default: lambda value: m.DEFAULT_TYPE,
    Regexp: lambda value: m.RegexpType(value.source_text()),
    Binary: lambda value: m.BINARY,
    SemVer: lambda value: m.SemVerType(),
    SemVerRange: lambda value: m.SEMVER_RANGE,
    Timespan: lambda value: m.TimespanType(value, value),
    Timestamp: lambda value: m.TimestampType(value, value),
    URI: infer_uri,
    Sensitive: lambda value: m.SensitiveType(generalize(infer(value.value))),
    Iterator: lambda value: m.IteratorType(value.element_type or m.ANY),
    PcoreObject: infer_object,
    Symbol: lambda value: SYMBOL,
    RubyReference: infer_reference,
}


def infer_detailed(value: Value) -> Type:
    """Return the type of a value, arrays as Tuple and hashes with string keys as Struct.

    >>> infer_detailed([1, None])
    TupleType(types=(IntegerType(low=1, high=1), UndefType()), low=None, high=None)
    """
    if value.__class__ is list:
        if not value:
            return EMPTY_ARRAY
        return m.TupleType(tuple(map(infer_detailed, value)))
    if value.__class__ is dict:
        return detailed_hash(value)
    if value.__class__ is SemVer:
        return m.SemVerType((SemVerRange.between(value, value),))
    return infer(value)


def detailed_hash(value: dict[Any, Value]) -> Type:
    """Return a Struct, or a Hash where a key is not a string with content."""
    if not value:
        return EMPTY_HASH
    if all(key.__class__ is str and key for key in value):
        return m.StructType(
            tuple(m.StructElement(key, infer_detailed(item)) for key, item in value.items())
        )
    size = len(value)
    found_keys = one_of([infer_detailed(key) for key in keys(value)])
    found_values = one_of([infer_detailed(item) for item in value.values()])
    return m.HashType(found_keys, found_values, size, size)


def one_of(types: list[Type]) -> Type:
    """Return one type, or a Variant of several distinct types."""
    unique = tuple(dict.fromkeys(types))
    return unique[0] if len(unique) == 1 else m.VariantType(unique)


def type_of_items(values: Sequence[Value]) -> Type:
    """Return one of the types of the values, each as narrow as can be: the type of an Iterator."""
    types = tuple(map(infer_detailed, values))
    if not types:
        return m.UNIT
    return types[0] if len(types) == 1 else m.VariantType(types)


def type_of_pairs(pairs: Sequence[Sequence[Value]]) -> Type:
    """Return the type of an Iterator over pairs of a key and a value."""
    types = type_of_items([key for key, _ in pairs]), type_of_items([item for _, item in pairs])
    return m.TupleType(types, 2, 2)


def infer_generalized(value: Value) -> Type:
    """Return the type of a value without its size or limits.

    >>> infer_generalized([1, 2])
    ArrayType(element=IntegerType(low=None, high=None), low=None, high=None)
    """
    return generalize(infer(value))


__all__ = [
    "generalize",
    "infer",
    "infer_detailed",
    "infer_generalized",
    "type_of_items",
    "type_of_pairs",
]
