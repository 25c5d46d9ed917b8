"""Numbers as Puppet reads and prints them."""

from __future__ import annotations

import math
import re

from bunraku.base.lazy_patterns import lazy_pattern

INTEGER_MIN = -(2**63)
INTEGER_MAX = 2**63 - 1

# Digits of a number in a string; a number with more digits is too large for a Float.
MOST_DIGITS = 308
MOST_HEXADECIMAL_DIGITS = 255

# Hexadecimal, or decimal; after a leading 0 come octal digits only.
NUMBER = lazy_pattern(
    r"[ \t]*([-+]?)[ \t]*"
    r"(?:(0[xX][0-9A-Fa-f]+)|(0[0-7]*|[1-9]\d*)(\.\d+)?([eE]-?\d+)?)[ \t]*\Z",
    re.ASCII,
)


def float_text(value: float) -> str:
    """Return a Float as Ruby prints it.

    >>> [float_text(x) for x in (1.0, 1e14, 1e15, 0.0001, 1e-7, -0.0, 1.5e300)]
    ['1.0', '100000000000000.0', '1.0e+15', '0.0001', '1.0e-07', '-0.0', '1.5e+300']
    """
    text = repr(value)
    if "e" not in text:
        if text in SPECIAL:
            return SPECIAL[text]
        if 1e-4 <= abs(value) < 1e15 or value == 0 or not value.is_integer():
            return text
        # Ruby changes to an exponent one power of ten before Python does.
        sign, digits = text[: value < 0], text.lstrip("-").removesuffix(".0")
        return f"{sign}{digits[0]}.{digits[1:].rstrip('0') or '0'}e+{len(digits) - 1}"
    mantissa, _, exponent = text.partition("e")
    if "." not in mantissa:
        mantissa += ".0"
    sign, digits = exponent[0], exponent[1:]
    return f"{mantissa}e{sign}{digits:0>2}"


SPECIAL = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}


def number_text(value: float) -> str:
    """Return an Integer or Float as Ruby prints it."""
    return float_text(value) if value.__class__ is float else str(value)


def parse_number(text: str) -> int | float | None:
    """Return the number that a string means in arithmetic; None if it is not numeric.

    >>> [parse_number(text) for text in ("12", "0x1F", "017", "1e3", " -1.5 ", "1_000", "09", "")]
    [12, 31, 15, 1000.0, -1.5, None, None, None]
    """
    match = NUMBER.match(text)
    if match is None:
        return None
    sign, hexadecimal, whole, fraction, exponent = match.groups()
    negative = sign == "-"
    if len(hexadecimal or whole) > (MOST_HEXADECIMAL_DIGITS if hexadecimal else MOST_DIGITS):
        return None
    if hexadecimal:
        number = int(hexadecimal, 16)
    elif fraction or exponent:
        value = float(whole + (fraction or "") + (exponent or ""))
        if math.isinf(value) or (exponent and not value):
            return None
        return -value if negative else value
    else:
        number = int(whole, 8 if whole[0] == "0" else 10)
    return -number if negative else number
