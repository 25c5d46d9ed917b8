"""Values by Ruby's rules: the texts, comparisons and conversions that old functions expose.

The library's functions were written in Ruby without declared types, so their results for
unusual arguments are those of Ruby's ``to_s``, ``inspect``, ``==``, ``Float()`` ….
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.types.model import ClassType, ResourceType, Type
from bunraku.types.value_text import to_text
from bunraku.values.default import DEFAULT
from bunraku.values.keys import as_key, pairs
from bunraku.values.numbers import float_text
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.ruby_object import RubyObject
from bunraku.values.ruby_semantics.texts import (
    inspect_array,
    inspect_hash,
    inspect_text,
    regexp_text,
)
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp

Value = Any


# -- texts -----------------------------------------------------------------------------------------
def to_s(value: Value) -> str:
    """Return the text of a value as Ruby's ``to_s`` gives it to functions of the old kind.

    >>> to_s(["a", None, {"k": True}])
    '["a", nil, {"k"=>true}]'
    """
    kind = value.__class__
    if kind is str:
        return str(value)
    if value is None:
        return ""
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        return str(value)
    if kind is float:
        return float_text(value)
    if kind is list or kind is dict:
        return inspect(value)
    if kind is Regexp:
        return regexp_text(value)
    if kind is Sensitive:
        return "Sensitive [value redacted]"
    return reference_text(to_text(value)) if isinstance(value, Type) else to_text(value)


def new_s(value: Value) -> str:
    """Return the text of a value for functions of the new kind, which get references as types."""
    return to_text(value) if isinstance(value, Type) else to_s(value)


REFERENCE = lazy_pattern(r"\A([A-Z][\w:]*)\['(.*)'\]\Z", re.DOTALL)


def reference_text(text: str) -> str:
    """Return a resource reference without the quotes that Puppet 4 puts around its title."""
    found = REFERENCE.match(text)
    if found is None or found[1] in {"Enum", "String", "Runtime", "SemVer", "Timestamp"}:
        return text
    return f"{found[1]}[{found[2]}]"


def inspect(value: Value) -> str:
    """Return the text of a value as Ruby's ``inspect`` gives it."""
    kind = value.__class__
    if kind is str:
        return inspect_text(value)
    if value is None:
        return "nil"
    if kind is list:
        return inspect_array(value, inspect)
    if kind is dict:
        return inspect_hash(pairs(value), inspect)
    if value is DEFAULT:
        return ":default"
    if kind is Regexp:
        return to_text(value)
    if kind is Sensitive:
        return "#<Sensitive [value redacted]>"
    return repr(value) if kind is RubyObject else to_s(value)


# -- comparisons -----------------------------------------------------------------------------------
def identity(value: Value) -> Hashable:
    """Return the key by which Ruby's set operations on arrays compare: ``1`` and ``1.0`` differ.

    References to resources, timespans and timestamps are objects; no two of them are the same.
    """
    key: Hashable = object() if is_distinct(value) else as_key(value)
    return key


def is_distinct(value: Value) -> bool:
    """Return whether a value, or a part of it, is the same as no other object for Ruby's ``eql?``."""
    kind = value.__class__
    if kind is list:
        return any(map(is_distinct, value))
    if kind is dict:
        return any(is_distinct(item) for item in value.values())
    if kind is ResourceType:
        return value.title is not None
    return kind is Timespan or kind is Timestamp or (kind is ClassType and value.name is not None)


def unique(values: Iterable[Value]) -> list[Value]:
    """Return the values without repetitions, first ones kept.

    >>> unique([1, 1.0, 1, "a", "A", "a"])
    [1, 1.0, 'a', 'A']
    """
    found: dict[Hashable, Value] = {}
    for value in values:
        found.setdefault(identity(value), value)
    return list(found.values())
