"""Values as plain data: values that JSON cannot represent become hashes with ``__ptype``.

This is the form in which Puppet serializes values; ``to_ruby`` and ``to_python`` write it down.
"""

from __future__ import annotations

from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.functions.stdlib import issues
from bunraku.types.model import ClassType, FloatType, IntegerType, ResourceType, Type
from bunraku.types.text.display import capitalize
from bunraku.types.value_text import to_text
from bunraku.values.binary import Binary
from bunraku.values.default import DEFAULT
from bunraku.values.keys import pairs
from bunraku.values.pcore import PcoreObject
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.ruby_semantics.texts import kind_name
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import SemVer, SemVerRange

Value = Any
Step = Any

PLAIN = frozenset({str, int, float, bool, type(None)})
BY_TEXT = {
    SemVer: "SemVer",
    SemVerRange: "SemVerRange",
    Timespan: "Timespan",
    Timestamp: "Timestamp",
    Binary: "Binary",
    URI: "URI",
}


def typed(name: str, value: Value) -> dict[str, Value]:
    """Return a value that is not plain data."""
    return {"__ptype": name, "__pvalue": value}


class DataWriter:
    """Turns one value into data; an array or hash met again becomes a reference to the first."""

    def __init__(self, function_name: str) -> None:
        self.function_name = function_name
        self.path: list[Step] = []
        self.seen: dict[int, str | None] = {}

    def write(self, value: Value) -> Value:
        """Return the data that represents a value."""
        kind = value.__class__
        if kind in PLAIN:
            return value
        if kind in BY_TEXT:
            return typed(BY_TEXT[kind], to_text(value))
        if kind is Regexp:
            return typed("Regexp", value.pattern)
        if value is DEFAULT:
            return {"__ptype": "Default"}
        known = self.seen.get(id(value))
        if known is not None:
            return typed("LocalRef", known)
        self.seen[id(value)] = self.place()
        if kind is list:
            return [self.under(at, item) for at, item in enumerate(value)]
        if kind is dict:
            return self.write_hash(value)
        if kind is Sensitive:
            return typed("Sensitive", self.write(value.value))
        if kind is PcoreObject:
            return self.write_object(value)
        if isinstance(value, Type):
            return self.write_type(value)
        raise self.refusal(value)

    def write_type(self, value: Type) -> Value:
        """Return a type: references and ranges by their parts, others only when they have none."""
        data: dict[str, Value] = {"__ptype": f"Pcore::{value.__class__.__name__}"}
        if isinstance(value, ResourceType):
            name = value.type_name
            parts: dict[str, Value] = {
                "type_name": capitalize(name) if name else None,
                "title": value.title,
            }
        elif isinstance(value, ClassType):
            parts = {"class_name": value.name}
        elif isinstance(value, IntegerType | FloatType):
            parts = {"from": value.low, "to": value.high}
        elif value == value.__class__():
            parts = {}
        else:
            raise self.refusal(value)
        return data | {key: item for key, item in parts.items() if item is not None}

    def refusal(self, value: Value) -> PuppetError:
        """Return the error for a value that has no such form."""
        return issues.NOT_WRITTEN(
            name=self.function_name, actual=kind_name(value), format="serialized data"
        )

    def under(self, step: Step, value: Value) -> Value:
        """Return the data of a value inside another."""
        self.path.append(step)
        try:
            return self.write(value)
        finally:
            self.path.pop()

    def place(self) -> str | None:
        """Return the current position as a path for a reference."""
        text = "$"
        for step in self.path:
            if step.__class__ is int:
                text += f"[{step}]"
            elif step.__class__ is str:
                text += "['" + step.replace("\\", "\\\\").replace("'", "\\'") + "']"
            else:
                return None
        return text

    def write_hash(self, value: dict[Any, Value]) -> Value:
        """Return a hash; one whose keys are not all ordinary strings is written as a list."""
        if all(key.__class__ is str for key in value) and "__ptype" not in value:
            return {key: self.under(key, item) for key, item in value.items()}
        flat: list[Value] = []
        for key, item in pairs(value):
            flat.append(self.write(key))
            flat.append(self.under(key, item))
        return typed("Hash", flat)

    def write_object(self, value: PcoreObject) -> Value:
        """Return an object of an Object type, by its attributes."""
        data: dict[str, Value] = {"__ptype": value.type.name}
        for name, item in value.attributes.items():
            if item is not None:
                data[name] = self.under(name, item)
        return data
