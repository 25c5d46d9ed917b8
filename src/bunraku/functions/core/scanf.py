"""``scanf``: read values out of a string by a format."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.functions.core.iterables import call_loosely
from bunraku.functions.declaration import FunctionTable
from bunraku.runtime.callables import Closure, Value
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.ruby_semantics.numbers import to_f
from bunraku.values.widths import WIDEST, is_too_wide

function = FunctionTable()

CONVERSION = lazy_pattern(
    r"%(?:%|(?P<skip>\*?)(?P<width>\d*)"
    r"(?:(?P<letter>[a-zA-Z])|(?P<set>\[\^?(?:\[:\w+:\]|[^\]])+\])))",
    re.DOTALL | re.ASCII,
)
BLANK_RUN = lazy_pattern(r"[ \t\n\v\f\r]*")


def octal(text: str) -> int:
    """Return the integer that octal digits mean, up to the first other character.

    >>> octal("-017"), octal("08"), octal("0x1f")
    (-15, 0, 31)
    """
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-").lower()
    if digits.startswith("0x"):
        return sign * int(digits[2:] or "0", 16)
    found = re.match(r"[0-7]*", digits)
    return sign * int((found[0] if found else "") or "0", 8)


def hexadecimal(text: str) -> int:
    """Return the integer that hexadecimal digits mean, with or without ``0x``.

    >>> hexadecimal("-0x1F"), hexadecimal("ff"), hexadecimal("0x")
    (-31, 255, 0)
    """
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-").lower().removeprefix("0x")
    return sign * int(digits or "0", 16)


def any_base(text: str) -> int:
    """Return the integer that digits mean; the prefix gives the base.

    >>> any_base("10"), any_base("010"), any_base("-0x10")
    (10, 8, -16)
    """
    return octal(text) if text.lstrip("+-").startswith("0") else int(text)


INTEGER = (r"[-+]?\d+", int)
HEXADECIMAL = (r"[-+]?(?:0[xX])?[0-9a-fA-F]+|[-+]?0[xX]", hexadecimal)
FLOAT = (r"[-+]?(?:\d+(?![\d.])|\d+\.\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)", to_f)
KINDS: dict[str, tuple[str, Callable[[str], Value]]] = {
    "d": INTEGER,
    "u": INTEGER,
    "i": (r"[-+]?(?:0[xX][0-9a-fA-F]+|0[0-7]+|[1-9]\d*)", any_base),
    "o": (r"[-+]?[0-7]+", octal),
    "x": HEXADECIMAL,
    "X": HEXADECIMAL,
    **dict.fromkeys("aefgAEFG", FLOAT),
    "s": (r"\S+", str),
    "c": (r".", str),
}
# With a width, a text that starts like a number is converted as far as possible.
WIDE: dict[Callable[[str], Value], str] = {
    to_f: r"(?=[-+]?[\d.])\S+",
    any_base: r"[-+]0[0-7]+|[-+]0[xX][0-9a-fA-F]+|0[xX][0-9a-fA-F]+|\d+",
}


@record()
class Item:
    """A piece of a format: the text that it consumes, and the value made from it."""

    take: Callable[[str], Any]
    width: int | None = None
    skips_blanks: bool = True
    convert: Callable[[str], Value] | None = None


def literal(text: str) -> Item:
    """Return text that must be there, with or without blanks before it."""
    compiled = re.compile(re.escape(text))
    return Item(compiled.match)


def conversion(found: re.Match[str]) -> Item | None:
    """Return a conversion of the format; None for literal text."""
    digits = found["width"] or ""
    # No text is as long as the widest field.
    width = WIDEST if is_too_wide(digits) else int(digits) if digits else None
    letter = found["letter"]
    if found["set"]:
        take = Regexp(rf"\A{found['set']}+").compile().search
        return Item(take, width, False, None if found["skip"] else str)
    if letter not in KINDS:
        return None
    pattern, convert = KINDS[letter]
    if letter == "c":
        pattern = f".{{1,{width or 1}}}"
    elif width is not None:
        pattern = WIDE.get(convert, pattern)
    compiled = re.compile(pattern, re.DOTALL | re.ASCII)
    return Item(compiled.match, width, letter != "c", None if found["skip"] else convert)


@remembered(256)
def items_of(pattern: str) -> list[Item]:
    """Return the pieces of a format."""
    found: list[Item] = []
    at = 0
    text = ""

    def finish(text: str) -> str:
        """Add the literal text before a conversion."""
        found.extend(map(literal, text.split()))
        if text[-1:].isspace():
            found.append(literal(""))
        return ""

    while at < len(pattern):
        match = CONVERSION.match(pattern, at) if pattern[at] == "%" else None
        if match is None:
            text += pattern[at]
            at += 1
            continue
        at = match.end()
        item = literal("%") if match[0] == "%%" else conversion(match)
        if item is None:
            text += match[0]
        else:
            text = finish(text)
            found.append(item)
    finish(text)
    return found


def read(text: str, pattern: str) -> list[Value]:
    """Return the values that a format finds in a text, up to the first that is missing.

    >>> read("12 abc 3.5", "%d %s %f"), read("key = 5", "%s=%d"), read("x", "%d")
    ([12, 'abc', 3.5], ['key', 5], [])
    """
    values: list[Value] = []
    at = 0
    for item in items_of(pattern):
        if item.skips_blanks:
            blank = BLANK_RUN.match(text, at)
            at = blank.end() if blank else at
        found = item.take(text[at:] if item.width is None else text[at : at + item.width])
        if found is None:
            break
        at += found.end()
        if item.convert is not None:
            values.append(item.convert(str(found.group())))
    return values


@function("scanf(String $data, String $format, Optional[Callable] &$block)", since="3.7.4")
def scanf(text: str, pattern: str, block: Closure | None) -> Value:
    """Return the values that a format finds in a string; a lambda may make something of them.

    ```puppet
    scanf('12 abc', '%d %s') == [12, 'abc']
    scanf('42', '%i') |$found| { $found[0] } == 42
    ```
    """
    values = read(text, pattern)
    return values if block is None else call_loosely(block, values)
