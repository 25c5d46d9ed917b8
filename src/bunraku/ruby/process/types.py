"""Requests of Ruby code about types and rich data: ``Puppet::Pops::Types``, ``Serialization``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.catalog.rich_data import from_data, to_data
from bunraku.ruby.process.wire import Codec
from bunraku.runtime.state import Compilation, current_scope
from bunraku.types import model as m
from bunraku.types.base import TypeAliasType
from bunraku.types.mismatch import ActualType, describe_mismatch
from bunraku.types.model import Type
from bunraku.types.objects import ObjectType
from bunraku.types.parse import parse_type
from bunraku.types.relations.assignable import is_assignable
from bunraku.types.relations.common import generalize
from bunraku.types.relations.infer import infer, infer_detailed
from bunraku.types.relations.instance import is_instance
from bunraku.types.text.display import display
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.version import SemVer

Value = Any
Parts = dict[str, Value]
TIMES = {"Timestamp": Timestamp, "Timespan": Timespan}


class TypeAnswers:
    """Answers about types and values, by name; arguments and results are JSON."""

    codec: Codec
    compilation: Compilation

    def on_new(self, type_name: str, argument: Any) -> Value:
        """Return a value of a type, made from another."""
        return self.make(parse_type(type_name), [self.codec.decode(argument)])

    def on_create(self, type_: Any, arguments: list[Any]) -> Value:
        """Answer ``type.create(…)``."""
        return self.make(self.codec.decode(type_), [self.codec.decode(item) for item in arguments])

    def make(self, type_: Type, arguments: list[Value]) -> Value:
        """Return a new value of a type."""
        scope = current_scope() or self.compilation.top_scope
        return self.compilation.call_function(scope, "new", [type_, *arguments])

    def on_type(self, text: str) -> Value:
        """Return the type that a text is."""
        return parse_type(text, self.compilation.types)

    def on_infer(self, value: Any) -> Value:
        """Return the type of a value."""
        return infer(self.codec.decode(value))

    def on_infer_set(self, value: Any) -> Value:
        """Return the type of a value, with a type for each element."""
        return infer_detailed(self.codec.decode(value))

    def on_generalize(self, type_: Any) -> Value:
        """Return a type without the values that it was inferred from."""
        return generalize(self.codec.decode(type_))

    def on_instance(self, type_: Any, value: Any) -> bool:
        """Report whether a value is of a type."""
        return is_instance(self.codec.decode(value), self.codec.decode(type_))

    def on_assignable(self, type_: Any, other: Any) -> bool:
        """Report whether a type takes all values of another."""
        return is_assignable(self.codec.decode(type_), self.codec.decode(other))

    def on_mismatch(self, name: str, expected: Any, actual: Any) -> str:
        """Say why a value of a type does not fit another."""
        type_ = ActualType(self.codec.decode(actual))
        return describe_mismatch(name, self.codec.decode(expected), type_)

    def on_type_parts(self, type_: Any) -> Parts:
        """Return the parts of a type by their names in Ruby."""
        return type_parts(self.codec.decode(type_))

    # -- values ----------------------------------------------------------------------------------

    def on_in_range(self, held: Any, version: str) -> bool:
        """Report whether a version is in a range."""
        found: bool = self.codec.decode(held).includes(SemVer.parse(version))
        return found

    def on_range_end(self, held: Any, name: str) -> str:
        """Return the lowest or the highest version of a range."""
        range_ = self.codec.decode(held)
        return str(range_.min if name == "begin" else range_.max)

    def on_items(self, held: Any) -> list[Value]:
        """Return the items of an iterator."""
        return list(self.codec.decode(held))

    def on_time(self, kind: str, nanoseconds: int) -> Value:
        """Return a point in time or a length of time."""
        return TIMES[kind](nanoseconds)

    def on_to_data(self, value: Any) -> Value:
        """Return a value as plain data."""
        return to_data(self.codec.decode(value))

    def on_from_data(self, type_name: Any, value: Any) -> Value:
        """Return the value that a hash with the name of a type is."""
        name = self.codec.decode(type_name)
        data = self.codec.decode(value)
        if name.startswith("Pcore::") and name.endswith("Type") and len(data) == 1:
            return parse_type(
                name.removeprefix("Pcore::").removesuffix("Type"), self.compilation.types
            )
        if "__pvalue" not in data:
            given = {key: item for key, item in data.items() if key != "__ptype"}
            return self.make(parse_type(name, self.compilation.types), [given])
        return from_data(data)


# -- the parts of types ------------------------------------------------------------------------------


def type_parts(type_: Type) -> Parts:
    """Return the parts of a type by their names in Ruby; those of a wrapper are its inner type."""
    parts = PARTS.get(type_.__class__)
    if parts is not None:
        return parts(type_)
    if isinstance(type_, m.Wrapper):
        return {"type": type_.type}
    return {}


def bounds(type_: Any) -> Parts:
    """Return the limits of a range."""
    return {"from": type_.low, "to": type_.high}


def size(type_: Any) -> Type | None:
    """Return the size of a collection as a range of integers."""
    if not type_.low and type_.high is None:
        return None
    return m.IntegerType(type_.low or 0, type_.high)


def callable_parts(type_: Any) -> Parts:
    """Return the parameters, the block and the result of a Callable."""
    parameters = None
    if type_.parameters is not None:
        types = tuple(item or m.ANY for item in type_.parameters)
        counts = (type_.low or 0, type_.high)
        same = counts == (len(types), len(types))
        parameters = m.TupleType(types) if same else m.TupleType(types, *counts)
    return {
        "param_types": parameters,
        "block_type": type_.block,
        "return_type": type_.return_type,
    }


def struct_parts(type_: Any) -> Parts:
    """Return the elements of a Struct: name, type of the key, type of the value."""
    elements: list[Value] = []
    for element in type_.elements:
        key: Type = m.StringType(value=element.name)
        if element.optional:
            key = m.OptionalType(key)
        elements.append([element.name, key, element.type])
    return {"elements": elements}


def alias_parts(type_: TypeAliasType) -> Parts:
    """Return the name of an alias and its definition."""
    definition = type_.definition or m.ANY
    expanded = f"{type_.name} = {display(definition)}"
    return {"name": type_.name, "resolved_type": definition, "expanded": expanded}


PARTS: dict[type, Callable[[Any], Parts]] = {
    m.IntegerType: bounds,
    m.FloatType: bounds,
    m.TimespanType: bounds,
    m.TimestampType: bounds,
    m.StringType: lambda type_: {"value": type_.value, "size_type": size(type_)},
    m.BooleanType: lambda type_: {"value": type_.value},
    m.EnumType: lambda type_: {
        "values": list(type_.values),
        "case_insensitive": bool(type_.case_insensitive),
    },
    m.PatternType: lambda type_: {"patterns": [m.RegexpType(each) for each in type_.patterns]},
    m.RegexpType: lambda type_: {"pattern": type_.pattern},
    m.ArrayType: lambda type_: {"element_type": type_.element, "size_type": size(type_)},
    m.HashType: lambda type_: {
        "key_type": type_.key,
        "value_type": type_.value,
        "size_type": size(type_),
    },
    m.CollectionType: lambda type_: {"size_type": size(type_)},
    m.TupleType: lambda type_: {
        "types": list(type_.types),
        "size_type": None if type_.low is None else m.IntegerType(type_.low, type_.high),
    },
    m.StructType: struct_parts,
    m.VariantType: lambda type_: {"types": list(type_.types)},
    m.CallableType: callable_parts,
    m.RuntimeType: lambda type_: {"runtime": type_.runtime, "name_or_pattern": type_.name},
    m.SensitiveType: lambda type_: {"type": type_.inner},
    m.SemVerType: lambda type_: {"ranges": list(type_.ranges)},
    m.ResourceType: lambda type_: {"type_name": type_.type_name, "title": type_.title},
    m.ClassType: lambda type_: {"class_name": type_.name},
    m.TypeReferenceType: lambda type_: {"type_string": type_.text},
    TypeAliasType: alias_parts,
    ObjectType: lambda type_: {
        "name": type_.name,
        "attributes": {name: each.type for name, each in type_.all_attributes().items()},
    },
}
