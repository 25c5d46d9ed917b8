"""Types in the JSON of catalogs: reads what :func:`bunraku.catalog.rich_data.type_data` writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bunraku.catalog.issues import INVALID_RICH_DATA
from bunraku.formats.shape import kind_of
from bunraku.types import model as m
from bunraku.types.names import TYPES
from bunraku.types.parse import parse_type, parse_written

Value = Any
PREFIX, SUFFIX = "Pcore::", "Type"


class WrittenParts:
    """The parts of one written type, with the types among them read already."""

    def __init__(self, name: str, values: Mapping[str, Value]) -> None:
        self.name = name
        self.values = values

    def part(self, name: str, kind: type | tuple[type, ...], expected: str) -> Value:
        """Return a part, None if it is absent; PuppetError if it is of another kind."""
        found = self.values.get(name)
        if found is None or isinstance(found, kind):
            return found
        reason = f"{name}: expected {expected}, got {kind_of(found)}"
        raise INVALID_RICH_DATA(type=self.name, reason=reason)

    def text(self, name: str) -> str | None:
        """Return a part that is text."""
        found: str | None = self.part(name, str, "a String")
        return found

    def items(self, name: str) -> list[Value]:
        """Return a part that is a list, empty if it is absent."""
        found: list[Value] = self.part(name, list, "an Array") or []
        return found

    def type(self, name: str) -> m.Type | None:
        """Return a part that is a type."""
        return self.as_type(self.values.get(name), name)

    def types(self, name: str) -> tuple[m.Type, ...]:
        """Return a part that is a list of types."""
        found = (self.as_type(item, name) for item in self.items(name))
        return tuple([one for one in found if one is not None])

    def as_type(self, value: Value, name: str) -> m.Type | None:
        """Return a value that is a type, or the text of a reference."""
        if isinstance(value, str):
            return reference(value)
        if value is None or isinstance(value, m.Type):
            return value
        reason = f"{name}: expected a type, got {kind_of(value)}"
        raise INVALID_RICH_DATA(type=self.name, reason=reason)

    def size(self) -> tuple[int | None, int | None]:
        """Return the limits of the part ``size_type``."""
        found = self.part("size_type", m.IntegerType, "an Integer type")
        return (None, None) if found is None else (found.low, found.high)


def type_from_parts(data: Mapping[str, Value]) -> m.Type | None:
    """Return the type that a hash describes by ``__ptype`` and parts; None for any other hash.

    Raise PuppetError for a part of another kind than Puppet writes.

    >>> type_from_parts({"__ptype": "Pcore::ArrayType", "element_type": m.IntegerType()})
    ArrayType(element=IntegerType(low=None, high=None), low=None, high=None)
    >>> type_from_parts({"__ptype": "X"}) is None
    True
    """
    name = data.get("__ptype")
    if not isinstance(name, str) or not (name.startswith(PREFIX) and name.endswith(SUFFIX)):
        return None
    short = name[len(PREFIX) : -len(SUFFIX)]
    reader = READERS.get(short)
    if reader is None:
        return TYPES.get(short) if len(data) == 1 else None
    return reader(WrittenParts(name, data))


def reference(text: str) -> m.Type:
    """Return the type of a reference as catalogs write it, with a title without quotes.

    >>> reference("File[/a]")
    ResourceType(type_name='file', title='/a')
    >>> reference("Class[A::B]")
    ClassType(name='a::b')
    """
    name, bracket, title = text.partition("[")
    if not bracket or not title.endswith("]"):
        return parse_type(text)
    if name == "Class":
        return m.ClassType(title[:-1].lower())
    return m.ResourceType(name.lower(), title[:-1])


NUMBERS = (int, float)


def integer(parts: WrittenParts) -> m.Type:
    """Read ``Integer``."""
    return m.IntegerType(parts.part("from", int, "an Integer"), parts.part("to", int, "an Integer"))


def floating(parts: WrittenParts) -> m.Type:
    """Read ``Float``."""
    return m.FloatType(parts.part("from", NUMBERS, "a Float"), parts.part("to", NUMBERS, "a Float"))


def string(parts: WrittenParts) -> m.Type:
    """Read ``String``, which has a size or one value."""
    found = parts.part("size_type_or_value", (str, m.IntegerType), "a String or an Integer type")
    if isinstance(found, m.IntegerType):
        return m.StringType(found.low, found.high)
    return m.StringType(value=found)


def array(parts: WrittenParts) -> m.Type:
    """Read ``Array``."""
    return m.ArrayType(parts.type("element_type") or m.ANY, *parts.size())


def hashed(parts: WrittenParts) -> m.Type:
    """Read ``Hash``."""
    key, value = parts.type("key_type") or m.ANY, parts.type("value_type") or m.ANY
    return m.HashType(key, value, *parts.size())


def tuples(parts: WrittenParts) -> m.Type:
    """Read ``Tuple``."""
    return m.TupleType(parts.types("types"), *parts.size())


def struct(parts: WrittenParts) -> m.Type:
    """Read ``Struct``, whose elements are hashes of a key type and a value type."""
    elements = []
    for item in parts.items("elements"):
        one = WrittenParts(parts.name, item if isinstance(item, Mapping) else {})
        key, value = one.type("key_type"), one.type("value_type")
        optional = isinstance(key, m.OptionalType)
        name = key.type if isinstance(key, m.OptionalType) else key
        if not isinstance(name, m.StringType) or name.value is None or value is None:
            raise INVALID_RICH_DATA(type=parts.name, reason="elements: expected a key and a type")
        elements.append(m.StructElement(name.value, value, optional))
    return m.StructType(tuple(elements))


def callables(parts: WrittenParts) -> m.Type:
    """Read ``Callable``; parameters without types are written as the type ``Unit``."""
    found = parts.part("param_types", m.TupleType, "a Tuple type")
    block, returned = parts.type("block_type"), parts.type("return_type")
    if found is None:
        return m.CallableType(block=block, return_type=returned)
    types = () if found.types == (m.UNIT,) else found.types
    sized = found.low is not None or found.high is not None
    low, high = (found.low or 0, found.high) if sized else (len(found.types), len(found.types))
    return m.CallableType(types, low, high, block, returned, size_shown=sized)


def patterns(parts: WrittenParts) -> m.Type:
    """Read ``Pattern``, whose patterns are types."""
    found = [one.pattern for one in parts.types("patterns") if isinstance(one, m.RegexpType)]
    return m.PatternType(tuple([one for one in found if one is not None]))


def words(parts: WrittenParts) -> m.Type:
    """Read ``Enum``."""
    insensitive = bool(parts.part("case_insensitive", bool, "a Boolean"))
    return m.EnumType(tuple(map(str, parts.items("values"))), insensitive)


def uri(parts: WrittenParts) -> m.Type:
    """Read ``URI``."""
    found = parts.part("parameters", Mapping, "a Hash") or {}
    return m.URIType(tuple(found.items()))


def wrapper(kind: Callable[[m.Type | None], m.Type]) -> Callable[[WrittenParts], m.Type]:
    """Return the reader of a type around another one."""
    return lambda parts: kind(parts.type("type"))


def referenced(parts: WrittenParts) -> m.Type | None:
    """Read a type that is written as text, such as an alias."""
    text = parts.text("type_string")
    return None if text is None else parse_written(text)


READERS: dict[str, Callable[[WrittenParts], m.Type | None]] = {
    "Array": array,
    "Callable": callables,
    "Class": lambda parts: m.ClassType(parts.text("class_name")),
    "Collection": lambda parts: m.CollectionType(*parts.size()),
    "Enum": words,
    "Float": floating,
    "Hash": hashed,
    "Init": lambda parts: m.InitType(parts.type("type"), tuple(parts.items("init_args"))),
    "Integer": integer,
    "Iterable": wrapper(m.IterableType),
    "Iterator": wrapper(m.IteratorType),
    "NotUndef": wrapper(m.NotUndefType),
    "Optional": wrapper(m.OptionalType),
    "Pattern": patterns,
    "Regexp": lambda parts: m.RegexpType(parts.text("pattern")),
    "Resource": lambda parts: m.ResourceType(parts.text("type_name"), parts.text("title")),
    "Runtime": lambda parts: m.RuntimeType(parts.text("runtime"), parts.text("name_or_pattern")),
    "SemVer": lambda parts: m.SemVerType(tuple(parts.items("ranges"))),
    "String": string,
    "Struct": struct,
    "Timespan": lambda parts: m.TimespanType(parts.values.get("from"), parts.values.get("to")),
    "Timestamp": lambda parts: m.TimestampType(parts.values.get("from"), parts.values.get("to")),
    "Tuple": tuples,
    "Type": wrapper(m.TypeType),
    "TypeReference": referenced,
    "Unit": lambda _: m.UNIT,
    "URI": uri,
    "Variant": lambda parts: m.VariantType(parts.types("types")),
}
"""Name of a type between ``Pcore::`` and ``Type`` → the reader of its parts."""
