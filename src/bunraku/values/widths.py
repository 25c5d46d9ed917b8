"""Limits of widths in formats of numbers, text and times."""

from __future__ import annotations

WIDEST = 1 << 26
"""Characters; the text of a wider field would take gigabytes."""
REASON = f"a width or precision is at most {WIDEST}"


def is_too_wide(digits: str) -> bool:
    """Return whether decimal digits name a width above the limit; empty text is not a width.

    >>> is_too_wide("00080"), is_too_wide(""), is_too_wide("999999999"), is_too_wide("9" * 5000)
    (False, False, True, True)
    """
    significant = digits.lstrip("0")
    return len(significant) > len(str(WIDEST)) or int(significant or "0") > WIDEST
