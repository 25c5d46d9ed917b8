"""Lines of ``postgresql.conf``."""

from __future__ import annotations

import re
from typing import Any

from bunraku.types.ruby_semantics.values import to_s

LINE = re.compile(r"^\s*([\w.]+)\s*=?\s*(.*?)(?:\s*#\s*(.*))?\s*$")
PLAIN = re.compile(r"^(\d+.?\d+|\w+)$", re.MULTILINE)
"""Values without quotes: numbers and words."""
INCLUDE = re.compile(r"^(include|include_if_exists)$", re.IGNORECASE | re.MULTILINE)
INTEGER = re.compile(r"0|-?[1-9]\d*")
DECIMAL = re.compile(r"-?(?:0|[1-9]\d{0,14})\.(?:\d*[1-9]|0)")


def number(text: str) -> int | float | str:
    """Return a number for a text that is one in its shortest form.

    >>> number("10"), number("0.5"), number("0.50"), number("1e3"), number("010")
    (10, 0.5, '0.50', '1e3', '010')
    """
    if INTEGER.fullmatch(text):
        return int(text)
    if DECIMAL.fullmatch(text) and to_s(float(text)) == text:
        return float(text)
    return text


def setting(key: str, value: Any, comment: str | None) -> str:
    """Format a setting as a line.

    >>> setting("Port", 5432, None), setting("include", "a.conf", "why")
    ('port = 5432', "include 'a.conf' # why")
    """
    text = to_s(value)
    is_include = INCLUDE.search(key) is not None
    shown = text if PLAIN.search(text) and not is_include else f"'{text}'"
    ending = "" if comment is None else f" # {to_s(comment)}"
    return f"{key.lower()}{' ' if is_include else ' = '}{shown}{ending}"
