"""Paths as people read them."""

from __future__ import annotations

import os

COMMAND_LINE = "-e"
"""The name in messages for code from the command line."""


def relative(path: str) -> str:
    """Return the path relative to the working directory if it is below that."""
    below = os.path.relpath(path)
    return path if below.startswith("..") else below


def where(file: str | None, line: int | None, column: int | None) -> str:
    """Return the known part of ``file:line:column``; a line without a file is one of ``-e``.

    >>> where("site.pp", 3, None), where(None, 1, 8), where(None, None, None)
    ('site.pp:3', '-e:1:8', '')
    """
    if line and not file:
        file = COMMAND_LINE
    return ":".join(str(piece) for piece in (file, line, column) if piece)
