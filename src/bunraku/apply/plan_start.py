"""Recognise a saved plan by its first bytes."""

from __future__ import annotations

import os

from bunraku.base.file_reading import read_beginning

FORMAT = "bunraku-plan"
START = f'{{"format":"{FORMAT}"'.encode()


def is_saved_plan(path: str | None) -> bool:
    """Return whether a file is a saved plan; a stream is not read, and is none."""
    if path is None or not os.path.isfile(path):
        return False
    try:
        return read_beginning(path, len(START)) == START
    except OSError:
        return False  # the compile reports it
