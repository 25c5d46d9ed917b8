"""Strings, regular expressions and classes as Ruby writes them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.values.regexp.regexp import EXTENDED, IGNORECASE, MULTILINE, Regexp, escape_slashes

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
PLAIN_TEXT = lazy_pattern(r"[ !$-\[\]-~]*\Z")
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


def inspect_array(items: Iterable[Value], inspect: Callable[[Value], str]) -> str:
    """Return an array as ``inspect`` writes it; ``inspect`` writes the items.

    >>> inspect_array([1, 2], str)
    '[1, 2]'
    """
    return f"[{', '.join(map(inspect, items))}]"


def inspect_hash(entries: Iterable[tuple[Value, Value]], inspect: Callable[[Value], str]) -> str:
    """Return a hash as ``inspect`` writes it before Ruby 3.4; ``inspect`` writes keys and values.

    >>> inspect_hash([("a", 1)], repr)
    "{'a'=>1}"
    """
    inside = ", ".join(f"{inspect(key)}=>{inspect(item)}" for key, item in entries)
    return f"{{{inside}}}"


def ruby_regexp(value: Regexp) -> str:
    """Return the text of ``Regexp#to_s``, which lists all three options."""
    text = value.source_text()
    return text if value.options else f"(?-mix:{text})"


FLAGS = (("m", MULTILINE), ("i", IGNORECASE), ("x", EXTENDED))


def regexp_text(value: Regexp) -> str:
    """Return a regular expression as part of another.

    >>> regexp_text(Regexp("a/b", IGNORECASE))
    '(?i-mx:a\\\\/b)'
    """
    on = "".join(letter for letter, flag in FLAGS if value.options & flag)
    off = "".join(letter for letter, flag in FLAGS if not value.options & flag)
    return f"(?{on}{'-' + off if off else ''}:{escape_slashes(value.pattern)})"


CLASS_NAMES = {
    bool: "Boolean",
    int: "Integer",
    float: "Float",
    str: "String",
    list: "Array",
    dict: "Hash",
    type(None): "Undef",
}


def kind_name(value: Value) -> str:
    """Return the name of the kind of a value, for messages."""
    kind: type = value.__class__
    return CLASS_NAMES.get(kind, kind.__name__)
