"""The levels of r10k's log, by name and number."""

from __future__ import annotations

LEVEL_NAMES = ("debug2", "debug1", "debug", "info", "notice", "warn", "error", "fatal")
"""Names of levels, least urgent first; the number of the first is 1 (log4r)."""


def level_number(text: str) -> int | None:
    """Return the number of a level by its name or number; None for an unknown level.

    >>> level_number("WARN"), level_number("4"), level_number("loud")
    (6, 4, None)
    """
    if text.isdecimal():
        return int(text)
    name = text.lower()
    return LEVEL_NAMES.index(name) + 1 if name in LEVEL_NAMES else None
