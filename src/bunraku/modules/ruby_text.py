"""Plain data as Ruby turns it into text: what facts and interpolated data become in strings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

Value = Any
ESCAPES = {
    "\\": "\\\\",
    '"': '\\"',
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\f": "\\f",
    "\v": "\\v",
    "\a": "\\a",
    "\b": "\\b",
    "\x1b": "\\e",
}


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
        entries = (
            f"{inspect(getattr(key, 'value', key))}=>{inspect(item)}" for key, item in value.items()
        )
        return "{" + ", ".join(entries) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(inspect, value)) + "]"
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


def float_text(value: float) -> str:
    """Return a float as Ruby prints it.

    >>> [float_text(value) for value in (1.0, 1e15, 1e-5, 1e15 + 0.5, float("-inf"))]
    ['1.0', '1.0e+15', '1.0e-05', '1000000000000000.5', '-Infinity']
    """
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if math.isnan(value):
        return "NaN"
    shown = repr(value)
    if "e" not in shown:
        if abs(value) < 1e15 or not shown.endswith(".0"):
            return shown
        sign, digits = shown[: shown[0] == "-"], shown.lstrip("-")[:-2]  # sixteen digits
        return f"{sign}{digits[0]}.{digits[1:].rstrip('0') or '0'}e+15"
    digits, _, exponent = shown.partition("e")
    return f"{digits if '.' in digits else digits + '.0'}e{exponent}"
