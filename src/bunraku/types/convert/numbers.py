"""Numbers and Booleans from other values."""

from __future__ import annotations

import math
import re
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.types.convert import issues
from bunraku.types.convert.words import not_convertible
from bunraku.values.default import DEFAULT
from bunraku.values.numbers import parse_number
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp

Value = Any

INTEGER = lazy_pattern(r"([-+]?)\s*(0[xX][0-9A-Fa-f]+|0[bB][01]+|\d+)\Z", re.ASCII)
LEADING_SPACE = lazy_pattern(r"\s*(?=\d)", re.ASCII)
FLOAT = lazy_pattern(
    r"([-+]?)\s*(?:(0[xX][0-9A-Fa-f]+)|(0[bB][01]+)|(0[0-7]+|(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?))\Z",
    re.ASCII,
)
RADIXES = (2, 8, 10, 16)
TRUE_TEXTS = frozenset({"true", "yes", "y"})
FALSE_TEXTS = frozenset({"false", "no", "n"})


def without_space(text: str) -> str:
    """Return a string without white space before digits; before a sign it is invalid."""
    match = LEADING_SPACE.match(text)
    return text[match.end() :] if match else text


def magnitude(number: Any, absolute: bool) -> Any:
    """Return the number, or its absolute value on request."""
    return abs(number) if absolute else number


def time_seconds(value: Value) -> Any:
    """Return a time's seconds; None for anything else."""
    return value.as_number() if isinstance(value, Timespan | Timestamp) else None


def integer_from(value: Value, radix: Value = DEFAULT, absolute: bool = False) -> int:
    """Return the value of ``Integer.new``.

    >>> integer_from("0x1F"), integer_from("017"), integer_from("11", 2), integer_from(-2.9)
    (31, 15, 3, -2)
    """
    if radix is not DEFAULT and radix not in RADIXES:
        raise issues.ILLEGAL_RADIX(radix=radix)
    kind = value.__class__
    if kind is str:
        number = integer_from_text(value, 0 if radix is DEFAULT else radix)
    elif kind is int or kind is bool or (kind is float and math.isfinite(value)):
        number = int(value)
    elif isinstance(value, Timespan | Timestamp):
        number = value.total // 1_000_000_000
    else:
        raise not_convertible(value, "Integer")
    return abs(number) if absolute else number


def integer_from_text(text: str, radix: int) -> int:
    """Return the integer of digits with a prefix (radix 0: by prefix, a leading zero is octal)."""
    match = INTEGER.match(without_space(text))
    if match is None:
        raise not_convertible(text, "Integer")
    sign, digits = match.groups()
    if radix == 0:
        radix = 8 if digits.isdigit() and digits[0] == "0" and len(digits) > 1 else 0
    try:
        number = int(digits, radix)
    except ValueError:
        raise not_convertible(text, "Integer") from None
    return -number if sign == "-" else number


def float_from(value: Value, absolute: bool = False) -> float:
    """Return the value of ``Float.new``.

    >>> float_from("017"), float_from("1.5e-3"), float_from(True)
    (17.0, 0.0015, 1.0)
    """
    kind = value.__class__
    if kind is str:
        number = float_from_text(value)
    elif kind is float or kind is int or kind is bool:
        number = float(value)
    else:
        number = time_seconds(value)
        if number is None:
            raise not_convertible(value, "Float")
    return abs(number) if absolute else number


def float_from_text(text: str) -> float:
    """Return a decimal, hexadecimal or binary text."""
    match = FLOAT.match(without_space(text))
    if match is None:
        raise not_convertible(text, "Float")
    sign, hexadecimal, binary, decimal = match.groups()
    if binary and sign:
        raise not_convertible(text, "Float")
    if hexadecimal or binary:
        number = float(int(hexadecimal or binary, 0))
    else:
        number = float(decimal)
    return -number if sign == "-" else number


def numeric_from(value: Value, absolute: bool = False) -> Any:
    """Return the value of ``Numeric.new``: an Integer if the text is one.

    >>> numeric_from("0b101"), numeric_from("1.50"), numeric_from(True)
    (5, 1.5, 1)
    """
    kind = value.__class__
    if kind is int or kind is float:
        number = value
    elif kind is bool:
        number = int(value)
    elif kind is str:
        number = number_from_text(value)
    else:
        number = time_seconds(value)
        if number is None:
            raise not_convertible(value, "Numeric")
    return magnitude(number, absolute)


def number_from_text(text: str) -> Any:
    """Return the number of a text."""
    match = FLOAT.match(without_space(text))
    if match is None:
        raise not_convertible(text, "Numeric")
    sign, _, binary, _ = match.groups()
    if binary and not sign:
        return int(binary, 2)
    number = parse_number(text)
    if number is None:
        raise not_convertible(text, "Numeric")
    return number


def boolean_from(value: Value) -> bool:
    """Return the value of ``Boolean.new`` of a number or ``true yes y false no n`` in any case."""
    kind = value.__class__
    if kind is bool:
        return bool(value)
    if kind is int or kind is float:
        return bool(value != 0)
    if kind is str:
        text = value.lower()
        if text in TRUE_TEXTS:
            return True
        if text in FALSE_TEXTS:
            return False
    raise not_convertible(value, "Boolean")
