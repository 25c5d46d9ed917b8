"""Values as Ruby's own ``to_s`` and ``inspect`` show them, where Puppet lets those through."""

from __future__ import annotations

import re
from typing import Any

from bunraku.types.text import to_text
from bunraku.values.default import Default
from bunraku.values.keys import pairs
from bunraku.values.numbers import float_text
from bunraku.values.regexp import Regexp

Value = Any

ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\f": "\\f",
    "\v": "\\v",
    "\b": "\\b",
    "\a": "\\a",
    "\x1b": "\\e",
}
SPECIAL = re.compile(r'["\\\x00-\x1f\x7f-\x9f\ud800-\udfff]|#(?=[{$@])')


def inspect_string(text: str) -> str:
    r"""A string as Ruby would write it in code.

    >>> print(inspect_string('a"#{b}\n\x01'))
    "a\"\#{b}\n\u0001"
    """
    return '"' + SPECIAL.sub(escape, text) + '"'


def escape(match: re.Match[str]) -> str:
    """One character of a string literal."""
    character = match[0]
    if character == "#":
        return "\\#"
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02X}"
    if code == 0x7F:
        return "\\x7F"
    return ESCAPES.get(character) or f"\\u{code:04X}"


def inspect(value: Value) -> str:
    """A value as Ruby's ``inspect`` shows it.

    >>> inspect(["a", None, {"k": 1.0}])
    '["a", nil, {"k"=>1.0}]'
    """
    kind = value.__class__
    if value is None:
        return "nil"
    if kind is str:
        return inspect_string(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is float:
        return float_text(value)
    if kind is list:
        return "[" + ", ".join(map(inspect, value)) + "]"
    if kind is dict:
        return "{" + ", ".join(f"{inspect(k)}=>{inspect(v)}" for k, v in pairs(value)) + "}"
    if kind is Default:
        return ":default"
    return to_text(value)


def ruby_text(value: Value) -> str:
    """A value as Ruby's ``to_s`` shows it."""
    kind = value.__class__
    if kind is str:
        text: str = value
        return text
    if kind is list or kind is dict:
        return inspect(value)
    if kind is Regexp:
        return ruby_regexp(value)
    return to_text(value)


def ruby_regexp(value: Regexp) -> str:
    """``Regexp#to_s``: with all three options told."""
    text = value.source_text()
    return text if value.options else f"(?-mix:{text})"
