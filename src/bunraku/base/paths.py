"""Paths as people read them."""

from __future__ import annotations

import os

COMMAND_LINE = "-e"
"""The name in messages for code from the command line."""


SLASHES = "\\/"


def path_list(text: str, *, windows: bool = os.name == "nt") -> list[str]:
    """Return the paths of a list, which colons separate; on Windows also semicolons.

    There a letter before a colon and a slash is a drive: an ``environment.conf`` that was written for
    Linux separates relative paths by colons.

    >>> path_list("site:modules:$basemodulepath"), path_list("C:\\\\a;d:/b:modules", windows=True)
    (['site', 'modules', '$basemodulepath'], ['C:\\\\a', 'd:/b', 'modules'])
    """
    if not windows:
        return text.split(":")
    found: list[str] = []
    drive = ""
    for part in text.replace(";", ":").split(":"):
        if len(part) == 1 and part.isalpha() and not drive:
            drive = part
        elif drive and part[:1] in SLASHES and part:
            found.append(f"{drive}:{part}")
            drive = ""
        else:
            found += [drive, part] if drive else [part]
            drive = ""
    return [*found, drive] if drive else found


def inner_path(path: str, start: str) -> str:
    """Return a path relative to a directory, with the slashes of git and of patterns."""
    return os.path.relpath(path, start).replace(os.sep, "/")


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
