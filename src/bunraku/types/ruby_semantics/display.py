"""Values in the format of Ruby's ``to_s`` and ``inspect``, where Puppet prints them."""

from __future__ import annotations

from typing import Any

from bunraku.types.value_text import to_text
from bunraku.values.default import Default
from bunraku.values.keys import pairs
from bunraku.values.numbers import float_text
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.ruby_object import RubyObject, Symbol
from bunraku.values.ruby_semantics.texts import (
    inspect_array,
    inspect_hash,
    inspect_text,
    ruby_regexp,
)

Value = Any


def inspect(value: Value) -> str:
    """Return a value as Ruby's ``inspect`` shows it.

    >>> inspect(["a", None, {"k": 1.0}])
    '["a", nil, {"k"=>1.0}]'
    """
    kind = value.__class__
    if value is None:
        return "nil"
    if kind is str:
        return inspect_text(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is float:
        return float_text(value)
    if kind is list:
        return inspect_array(value, inspect)
    if kind is dict:
        return inspect_hash(pairs(value), inspect)
    if kind is Default:
        return ":default"
    return repr(value) if kind is RubyObject or kind is Symbol else to_text(value)


def ruby_text(value: Value) -> str:
    """Return a value as Ruby's ``to_s`` shows it."""
    kind = value.__class__
    if kind is str:
        text: str = value
        return text
    if kind is list or kind is dict:
        return inspect(value)
    if kind is Regexp:
        return ruby_regexp(value)
    return to_text(value)
