"""Values as Ruby's own ``to_s`` and ``inspect`` show them, where Puppet lets those through."""

from __future__ import annotations

import unicodedata
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.types.text.text import to_text
from bunraku.values.default import Default
from bunraku.values.keys import pairs
from bunraku.values.numbers import float_text
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.ruby_object import RubyObject, Symbol

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
PLAIN_TEXT = lazy_pattern(r'[^\x00-\x1f\x7f-\U0010ffff"\\#]*\Z')
NOT_PRINTED = frozenset({"Cc", "Cn", "Zl", "Zp"})


def inspect_text(text: str) -> str:
    """Return a string as Ruby's ``inspect`` writes it.

    >>> print(inspect_text('a "b" #{c}'))
    "a \\"b\\" \\#{c}"
    """
    if PLAIN_TEXT.match(text):
        return f'"{text}"'
    parts = ['"']
    for at, letter in enumerate(text):
        if letter in ESCAPES:
            parts.append(ESCAPES[letter])
        elif letter == "#" and text[at + 1 : at + 2] in {"{", "$", "@"}:
            parts.append("\\#")
        elif " " <= letter < "\x7f" or letter == "\x85":
            parts.append(letter)
        elif "\udc80" <= letter <= "\udcff":
            parts.append(f"\\x{ord(letter) - 0xDC00:02X}")
        elif unicodedata.category(letter) in NOT_PRINTED:
            code = ord(letter)
            parts.append(f"\\u{code:04X}" if code < 0x10000 else f"\\u{{{code:X}}}")
        else:
            parts.append(letter)
    parts.append('"')
    return "".join(parts)


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
        return "[" + ", ".join(map(inspect, value)) + "]"
    if kind is dict:
        return "{" + ", ".join(f"{inspect(k)}=>{inspect(v)}" for k, v in pairs(value)) + "}"
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


def ruby_regexp(value: Regexp) -> str:
    """Return the text of ``Regexp#to_s``, which lists all three options."""
    text = value.source_text()
    return text if value.options else f"(?-mix:{text})"
