"""Paths as people read them."""

from __future__ import annotations

import os


def relative(path: str) -> str:
    """Return the path relative to the working directory if it is below that."""
    below = os.path.relpath(path)
    return path if below.startswith("..") else below
