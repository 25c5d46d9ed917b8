"""Plain data as text in Ruby's format, for facts and interpolated data in strings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.values.numbers import float_text
from bunraku.values.ruby_semantics.texts import ESCAPES, inspect_array, inspect_hash

Value = Any


def text(value: Value) -> str:
    """Return a value as ``to_s`` gives it.

    >>> text(None), text(1e20), text([1, "a", None]), text({"k": True})
    ('', '1.0e+20', '[1, "a", nil]', '{"k"=>true}')
    """
    if value.__class__ is str:
        return str(value)
    return "" if value is None else inspect(value)


def inspect(value: Value) -> str:
    """Return a value as ``inspect`` gives it.

    >>> print(inspect({"k": ["#{x}", 0.5, None]}))
    {"k"=>["\\#{x}", 0.5, nil]}
    """
    if isinstance(value, str):
        return quoted(value)
    if value is None:
        return "nil"
    if value.__class__ is bool:
        return "true" if value else "false"
    if value.__class__ is float:
        return float_text(value)
    if isinstance(value, Mapping):
        entries = ((getattr(key, "value", key), item) for key, item in value.items())
        return inspect_hash(entries, inspect)
    if isinstance(value, list | tuple):
        return inspect_array(value, inspect)
    return str(value)


def quoted(value: str) -> str:
    """Return a string in double quotes, as Ruby would write it."""
    out = []
    for at, letter in enumerate(value):
        if letter == "#" and value[at + 1 : at + 2] in {"{", "$", "@"}:
            out.append("\\#")
        elif letter in ESCAPES:
            out.append(ESCAPES[letter])
        elif letter < " " or letter == "\x7f":
            out.append(f"\\x{ord(letter):02X}")
        else:
            out.append(letter)
    return '"' + "".join(out) + '"'
