"""Characters by their codes."""

from __future__ import annotations

LARGEST = 0x10FFFF
SURROGATES = range(0xD800, 0xE000)
"""The codes of halves of characters in UTF-16, which are not characters."""


def character(digits: str, base: int = 16) -> str | None:
    """Return the character whose code is written in digits; None if there is none.

    >>> character("e9"), character("101", 8), character("110000"), character("d800"), character("")
    ('é', 'A', None, None, None)
    """
    try:
        code = int(digits, base)
    except ValueError:
        return None
    return chr(code) if 0 <= code <= LARGEST and code not in SURROGATES else None
