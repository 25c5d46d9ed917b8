"""Lines of a text that is not Puppet code, found by a pattern."""

from __future__ import annotations

import re


def line_matching(text: str, pattern: str) -> int | None:
    """Return the number of the line, from 1, where a pattern matches first; None without a match.

    >>> line_matching("a = 1\\nb = 2\\n", r"^b\\b"), line_matching("a = 1", "^b")
    (2, None)
    """
    found = re.search(pattern, text, re.MULTILINE)
    return None if found is None else text.count("\n", 0, found.start()) + 1
