"""Puppet values as the JSON of catalogs: plain data unchanged, other values as ``__ptype`` hashes.

:func:`to_data` writes a value, :func:`from_data` reads one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from bunraku.catalog.issues import INVALID_RICH_DATA
from bunraku.catalog.written_types import type_from_parts
from bunraku.formats.shape import ANY_ARRAY, ANYTHING, TEXT, Shape
from bunraku.types import model as m
from bunraku.types.base import TypeAliasType
from bunraku.types.builtin import is_deferred
from bunraku.types.text.display import capitalize, display, shown_attributes
from bunraku.types.value_text import to_text
from bunraku.values.binary import Binary
from bunraku.values.default import DEFAULT
from bunraku.values.iterator import Iterator
from bunraku.values.keys import make_hash, pairs
from bunraku.values.pcore import PcoreObject
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.ruby_object import RubyReference, Symbol
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import SemVer, SemVerRange

Value = Any
Data = Any
Parts = dict[str, object]
"""The parts of a type in its Pcore form: values that are not data yet."""
Written = TypeVar("Written", bound=m.Type)
Range = m.IntegerType | m.FloatType | m.TimespanType | m.TimestampType
PLAIN = frozenset({str, int, float, bool, type(None)})


def to_data(value: Value) -> Data:
    """Return a value as JSON data in the rich data form of catalogs.

    >>> to_data({1: "a"})
    {'__ptype': 'Hash', '__pvalue': [1, 'a']}
    """
    kind = value.__class__
    if kind in PLAIN:
        return value
    if kind is list:
        return [item if item.__class__ in PLAIN else to_data(item) for item in value]
    if kind is dict:
        return hash_data(value)
    if kind is m.ResourceType:  # most of the remaining types
        return type_data(value)
    if kind is Ready:
        return list(value)
    if kind is ReadyHash:
        return dict(value)
    if value is DEFAULT:
        return {"__ptype": "Default"}
    if kind is Sensitive:
        return {"__ptype": "Sensitive", "__pvalue": to_data(value.value)}
    if kind is Regexp:
        return {"__ptype": "Regexp", "__pvalue": value.source_text()}
    if isinstance(value, Iterator):
        return [to_data(item) for item in value]
    if isinstance(value, m.Type):
        return type_data(value)
    if isinstance(value, PcoreObject):
        return object_data(value)
    if kind is Symbol or kind is RubyReference:
        return str(value)
    return {"__ptype": kind.__name__, "__pvalue": to_text(value)}


def from_data(data: Data) -> Value:
    """Return the value that JSON data represents.

    Deferred values and objects of user-defined types stay the hashes they are written as. Raises PuppetError for rich data of another shape than Puppet writes.

    >>> from_data([1, {"__ptype": "Regexp", "__pvalue": "^a"}])
    [1, /^a/]
    >>> from_data({"__ptype": "Hash", "__pvalue": [1, "a"]})
    {1: 'a'}
    """
    if isinstance(data, list):
        return [from_data(item) for item in data]
    if not isinstance(data, Mapping):
        return data
    name = data.get("__ptype")
    if name == "Default":
        return DEFAULT
    reader = READERS.get(name) if isinstance(name, str) else None
    if reader is None or "__pvalue" not in data:
        values = {key: from_data(item) for key, item in data.items()}
        found = type_from_parts(values) if name is not None else None
        return values if found is None else found
    written = data["__pvalue"]
    wrong = SHAPES.get(str(name), TEXT).mismatch(written)
    if wrong is not None:
        raise INVALID_RICH_DATA(type=name, reason=str(wrong.below("__pvalue")))
    return reader(written)


def hash_from_flat(flat: Data) -> Value:
    """Return the hash whose keys and values take turns in a list."""
    if len(flat) % 2:
        raise INVALID_RICH_DATA(type="Hash", reason="__pvalue: the last key has no value")
    items = [from_data(item) for item in flat]
    return make_hash(zip(items[::2], items[1::2], strict=True))


SHAPES: dict[str, Shape] = {"Hash": ANY_ARRAY, "Sensitive": ANYTHING}
"""Type of a written value → shape of its ``__pvalue``, where that is not text."""


READERS: dict[str, Callable[[Data], Value]] = {
    "Binary": Binary.from_strict_base64,
    "Hash": hash_from_flat,
    "Regexp": Regexp,
    "SemVer": SemVer.parse,
    "SemVerRange": SemVerRange.parse,
    "Sensitive": lambda data: Sensitive(from_data(data)),
    "Timespan": Timespan.parse,
    "Timestamp": Timestamp.parse,
    "URI": URI.parse,
}
"""Type of a written value → the reader of its ``__pvalue``."""


def hash_data(value: dict[Any, Value]) -> Data:
    """Return a hash, as a flat list if its keys are not all strings or include ``__ptype``."""
    if all(key.__class__ is str for key in value) and "__ptype" not in value:
        return {key: to_data(item) for key, item in value.items()}
    flat: list[Data] = []
    for key, item in pairs(value):
        flat += (to_data(key), to_data(item))
    return {"__ptype": "Hash", "__pvalue": flat}


def object_data(value: PcoreObject) -> Data:
    """Return an object by its attributes, without those that have their default value."""
    name = "Deferred" if is_deferred(value) else value.type.name
    data: dict[str, Data] = {"__ptype": name}
    for key, item in shown_attributes(value):
        if item != [] or not is_deferred(value):
            data[key] = to_data(item)
    return data


def type_data(type_: m.Type) -> Data:
    """Return a reference as text, any other type as its Pcore form."""
    if isinstance(type_, m.ResourceType) and type_.title is not None and type_.type_name:
        return f"{capitalize(type_.type_name)}[{type_.title}]"
    if isinstance(type_, m.ClassType) and type_.name is not None:
        return f"Class[{capitalize(type_.name)}]"
    if isinstance(type_, TypeAliasType):
        return {"__ptype": "Pcore::TypeReferenceType", "type_string": type_.name}
    data = {"__ptype": f"Pcore::{type_.__class__.__name__}"}
    parts = PARTS.get(type_.__class__)
    if parts is not None:
        found = parts(type_)
    elif type_.__class__ in WITHOUT_PARTS:
        found = Parts()
    elif isinstance(type_, m.Wrapper):
        found = known(type=type_.type)
    else:
        return {"__ptype": "Pcore::TypeReferenceType", "type_string": display(type_)}
    data.update((key, to_data(item)) for key, item in found.items())
    return data


def known(**parts: object) -> Parts:
    """Return the parts that are not None."""
    return {name: part for name, part in parts.items() if part is not None}


def bounds(type_: Range) -> Parts:
    """Return the limits of a range type; an open lower limit is None if there is an upper one."""
    if type_.high is not None:
        return {"from": type_.low, "to": type_.high}
    return known(**{"from": type_.low})


def size(low: int | None, high: int | None) -> m.Type | None:
    """Return the size of a collection as the range type that it is in Pcore."""
    return None if not low and high is None else m.IntegerType(low or 0, high)


def array_parts(type_: m.ArrayType) -> Parts:
    """Return the parts of ``Array[element, low, high]``."""
    sized = size(type_.low, type_.high)
    plain = type_.element is m.ANY and sized is None
    return known(element_type=None if plain else type_.element, size_type=sized)


def hash_parts(type_: m.HashType) -> Parts:
    """Return the parts of ``Hash[key, value, low, high]``."""
    sized = size(type_.low, type_.high)
    plain = type_.key is m.ANY and type_.value is m.ANY and sized is None
    return known(
        key_type=None if plain else type_.key,
        value_type=None if plain else type_.value,
        size_type=sized,
    )


def callable_parts(type_: m.CallableType) -> Parts:
    """Return the parts of ``Callable[[…], return]``; those of a bare one are undef."""
    parameters = None
    if type_.parameters is not None:
        types = list(type_.parameters)
        if not types and type_.low:
            types = [m.UnitType()]
        counts = (type_.low or 0, type_.high)
        sized = counts != (len(types), len(types)) or (type_.size_shown and not types)
        parameters = {"__ptype": "Pcore::TupleType", "types": [type_data(item) for item in types]}
        if sized:
            parameters["size_type"] = type_data(m.IntegerType(*counts))
    return {
        "param_types": None if parameters is None else ReadyHash(parameters),
        "block_type": type_.block,
        "return_type": type_.return_type,
    }


def string_parts(type_: m.StringType) -> Parts:
    """Return the parts of ``String[low, high]`` or the type of one string."""
    exact = type_.value
    return known(size_type_or_value=exact if exact is not None else size(type_.low, type_.high))


def struct_parts(type_: m.StructType) -> Parts:
    """Return the elements of a Struct."""
    elements = []
    for element in type_.elements:
        key: m.Type = m.StringType(value=element.name)
        if element.optional:
            key = m.OptionalType(key)
        elements.append(
            {
                "__ptype": "Pcore::StructElement",
                "key_type": type_data(key),
                "value_type": type_data(element.type),
            }
        )
    return {"elements": Ready(elements)}


class Ready(list[object]):
    """A list that is JSON data already."""


class ReadyHash(dict[str, object]):
    """A hash that is JSON data already."""


def reads(
    kind: type[Written], parts: Callable[[Written], Parts]
) -> tuple[type[m.Type], Callable[[Any], Parts]]:
    """Return an entry of :data:`PARTS`; the type checker compares the class with the function."""
    return kind, parts


PARTS = dict(
    [
        reads(m.IntegerType, bounds),
        reads(m.FloatType, bounds),
        reads(m.StringType, string_parts),
        reads(m.TimespanType, bounds),
        reads(m.TimestampType, bounds),
        reads(
            m.EnumType,
            lambda type_: known(
                values=list(type_.values), case_insensitive=type_.case_insensitive or None
            ),
        ),
        reads(
            m.PatternType,
            lambda type_: known(patterns=[m.RegexpType(pattern) for pattern in type_.patterns]),
        ),
        reads(m.RegexpType, lambda type_: known(pattern=type_.pattern)),
        reads(m.SemVerType, lambda type_: known(ranges=list(type_.ranges) or None)),
        reads(m.CallableType, callable_parts),
        reads(
            m.InitType,
            lambda type_: known(type=type_.type, init_args=list(type_.arguments) or None),
        ),
        reads(
            m.RuntimeType, lambda type_: known(runtime=type_.runtime, name_or_pattern=type_.name)
        ),
        reads(m.URIType, lambda type_: known(parameters=dict(type_.parts) or None)),
        reads(m.VariantType, lambda type_: {"types": list(type_.types)}),
        reads(m.ArrayType, array_parts),
        reads(m.HashType, hash_parts),
        reads(
            m.TupleType,
            lambda type_: known(types=list(type_.types), size_type=size(type_.low, type_.high)),
        ),
        reads(m.CollectionType, lambda type_: known(size_type=size(type_.low, type_.high))),
        reads(m.StructType, struct_parts),
        reads(m.ResourceType, lambda type_: known(type_name=type_.type_name, title=type_.title)),
        reads(m.ClassType, lambda type_: known(class_name=type_.name)),
    ]
)
WITHOUT_PARTS = frozenset(
    {
        m.AnyType,
        m.UnitType,
        m.UndefType,
        m.DefaultType,
        m.ScalarType,
        m.ScalarDataType,
        m.NumericType,
        m.BinaryType,
        m.BooleanType,  # of which value it is, Puppet leaves out
        m.SemVerRangeType,
        m.SensitiveType,  # Puppet writes only this placeholder for a secret
        m.CatalogEntryType,
    }
)
