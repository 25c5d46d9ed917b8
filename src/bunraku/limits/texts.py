"""Limits as people write them: ``5m``, ``512M``."""

from __future__ import annotations

import re

from bunraku.limits.limits import shown_size

LONGEST = 1e8
"""Seconds, three years; the timers of the system cannot count much longer."""
SMALLEST_MEMORY = 64 << 20
"""Bytes; the compiler itself does not fit into less."""
TIME_UNITS = {"": 1, "S": 1, "M": 60, "H": 3600}
SIZE_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def parse_seconds(text: str) -> float:
    """Return the seconds that a text means: a number, with ``s``, ``m`` or ``h`` for its unit.

    Raises ValueError with the expected form for any other text.

    >>> parse_seconds("30"), parse_seconds("1.5m"), parse_seconds("0")
    (30.0, 90.0, 0.0)
    """
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([smh]?)", text.strip(), re.IGNORECASE)
    seconds = -1.0 if found is None else float(found[1]) * TIME_UNITS[found[2].upper()]
    if not 0 <= seconds <= LONGEST:
        raise ValueError("use seconds such as 30, or 30s, 5m, 1h; 0 means no limit")
    return seconds


def parse_size(text: str) -> int:
    """Return the bytes that a text means: a number, with ``K``, ``M``, ``G`` or ``T`` for its unit.

    Raises ValueError with the expected form for any other text, and for sizes that are too small for
    the compiler itself.

    >>> parse_size("512M") == 512 << 20, parse_size("1.5GiB") == 1536 << 20, parse_size("0")
    (True, True, 0)
    """
    pattern = r"([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:i?B)?"
    found = re.fullmatch(pattern, text.strip(), re.IGNORECASE)
    size = -1.0 if found is None else float(found[1]) * SIZE_UNITS[found[2].upper()]
    if size and not SMALLEST_MEMORY <= size < 1 << 60:
        least = shown_size(SMALLEST_MEMORY)
        raise ValueError(f"use a size such as 512M or 4G, at least {least}; 0 means no limit")
    return int(size)
