"""Conversions of text to numbers as Ruby's ``Float()``, ``Integer()``, ``to_f`` and ``to_i`` do them."""

from __future__ import annotations

import re
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern

Value = Any

STRICT_FLOAT = lazy_pattern(
    r"[+-]?(?:\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?\Z",
    re.ASCII,
)
HEX_FLOAT = lazy_pattern(
    r"[+-]?0[xX][0-9a-fA-F]+(?:_[0-9a-fA-F]+)*(?:\.[0-9a-fA-F]+)?(?:[pP][+-]?\d+)?\Z", re.ASCII
)
STRICT_INTEGER = lazy_pattern(
    r"([+-]?)(?:0[xX]([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)|0[bB]([01]+(?:_[01]+)*)"
    r"|0[dD](\d+(?:_\d+)*)|0_?[oO]?_?([0-7]+(?:_[0-7]+)*)|(0|[1-9]\d*(?:_\d+)*))\Z",
    re.ASCII,
)
BASES = (16, 2, 10, 8, 10)
LOOSE_FLOAT = lazy_pattern(
    r"\s*([+-]?(?:\d+(?:_\d+)*)?(?:(?<=\d)\.?(?:(?<=\.)\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)"
    r"(?:(?<=\d)[eE][+-]?\d+(?:_\d+)*)?)",
    re.ASCII,
)
LOOSE_INTEGER = lazy_pattern(r"\s*([+-]?\d+(?:_\d+)*)", re.ASCII)
BLANKS = " \t\n\v\f\r"


def parse_float(text: str) -> float | None:
    """Ruby's ``Float(text)``, or None where that raises.

    >>> parse_float(" 1_0.5e1 "), parse_float("0x1f"), parse_float("1."), parse_float("")
    (105.0, 31.0, None, None)
    """
    text = text.strip(BLANKS)
    if STRICT_FLOAT.match(text):
        return float(text.replace("_", ""))
    if HEX_FLOAT.match(text):
        return float.fromhex(text.replace("_", ""))
    return None


def parse_integer(text: str) -> int | None:
    """Ruby's ``Integer(text)``, or None where that raises.

    >>> parse_integer("0x1f"), parse_integer("010"), parse_integer("1_000"), parse_integer("08")
    (31, 8, 1000, None)
    """
    found = STRICT_INTEGER.match(text.strip(BLANKS))
    if found is None:
        return None
    for digits, base in zip(found.groups()[1:], BASES, strict=True):
        if digits is not None:
            number = int(digits.replace("_", ""), base)
            return -number if found[1] == "-" else number
    return None


def to_f(text: str) -> float:
    """Ruby's ``String#to_f``: the number a text begins with, else 0.0.

    >>> to_f("1.5 MB"), to_f("1_000"), to_f("x"), to_f(".5")
    (1.5, 1000.0, 0.0, 0.5)
    """
    found = LOOSE_FLOAT.match(text)
    digits = found[1].replace("_", "") if found else ""
    return float(digits) if digits.strip("+-.") else 0.0


def to_i(value: Value) -> int:
    """Ruby's ``to_i`` of a string or number; undef is 0.

    >>> to_i("12abc"), to_i(-1.9), to_i("")
    (12, -1, 0)
    """
    if value.__class__ is str:
        found = LOOSE_INTEGER.match(value)
        return int(found[1].replace("_", "")) if found else 0
    return 0 if value is None else int(value)


def has_to_i(value: Value) -> bool:
    """Return whether Ruby's ``to_i`` exists for a value."""
    return value is None or value.__class__ in {str, int, float}


def is_number(value: Value) -> bool:
    """Return whether a value is an Integer or a Float."""
    return value.__class__ is int or value.__class__ is float
