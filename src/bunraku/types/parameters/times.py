"""Limits of times, version ranges and parts of URIs as type parameters."""

from __future__ import annotations

from typing import Any

from bunraku.types import issues
from bunraku.types.model import Type
from bunraku.types.relations import infer
from bunraku.types.text.display import display
from bunraku.values.default import DEFAULT
from bunraku.values.keys import from_key
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.time.timespan import UNITS, Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import SemVerRange

Value = Any


def shown(value: Value) -> str:
    """Return the type of a value for a message."""
    return display(infer.infer(value))


def time_from(cls: type, key: Value) -> Any:
    """Return a limit from a time, seconds, text or a hash; ``default`` and undef mean no limit."""
    if key is DEFAULT or key is None:
        return None
    kind = key.__class__
    if kind is cls:
        return key
    if cls is Timespan:
        if kind is int or kind is float:
            return Timespan.from_seconds(key)
        if kind is str:
            return Timespan.parse(key)
        if kind is dict:
            return timespan_from_hash(dict(key))
    elif kind is int or kind is float:
        return Timestamp.from_seconds(key)
    elif kind is str:
        return Timestamp.parse(key)
    elif kind is dict:
        return timestamp_from_hash(dict(key))
    raise issues.TIME_FROM(type=cls.__name__, actual=shown(key))


def timespan_from_hash(parts: dict[Any, Value]) -> Any:
    """Return the time of ``{ hours => 1 }`` or ``{ string => …, format => … }``."""
    if "string" in parts:
        return Timespan.parse(*texts_of("Timespan", parts, ("string", "format")))
    for name, value in parts.items():
        wanted = bool if name == "negative" else int
        if name not in (*UNITS, "negative") or value.__class__ is not wanted:
            raise issues.TIMESPAN_FIELD(name=from_key(name), value=shown(value))
    return Timespan.from_fields(**parts)


def timestamp_from_hash(parts: dict[Any, Value]) -> Any:
    """Return the time of ``{ string => …, format => …, timezone => … }``."""
    return Timestamp.parse(*texts_of("Timestamp", parts, ("string", "format", "timezone")))


def texts_of(what: str, parts: dict[Any, Value], names: tuple[str, ...]) -> list[Any]:
    """Return the texts in a hash under these names; the first name is required."""
    for name, value in {names[0]: None, **parts}.items():
        texts = value if name == "format" and value.__class__ is list else [value]
        if name not in names or any(text.__class__ is not str for text in texts):
            raise issues.TIME_FIELD(what=what, name=from_key(name), value=shown(value))
    return [parts.get(name) for name in names]


def version_range(key: Value) -> Any:
    """Return a range from itself or its text; None for anything else."""
    if key.__class__ is SemVerRange:
        return key
    if key.__class__ is str:
        return SemVerRange.parse(key)
    return None


def uri_parts(key: Value) -> tuple[tuple[str, Any], ...] | None:
    """Return the parts of a URI type, from a URI, a text or a hash; None for anything else."""
    if key.__class__ is str and key:
        key = URI.parse(key)
    if key.__class__ is URI:
        return infer.uri_parts(key)
    if key.__class__ is not dict:
        return None
    found = dict(key)
    for name, part in found.items():
        if name not in URI.ATTRIBUTES or not part_is_legal(name, part):
            return None
    return tuple(found.items())


def part_is_legal(name: str, part: Value) -> bool:
    """Return whether a value can specify a part: as a value, a pattern or a type."""
    if part is None or isinstance(part, Type) or part.__class__ is Regexp:
        return True
    if name == "port":
        return part.__class__ is int
    return part.__class__ is str and bool(part)
