"""Fences: commands that check a change follow no symbolic link out of its project.

A change chooses its links. What they lead to, such as ``/proc/self/environ`` of a CI job, must not get
into a report. Modules may be linked from outside, as tests of modules do.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

SAFE = "BUNRAKU_SAFE_DIRECTORY"
"""The environment variable with the directories that the user trusts; ``*`` stands for all."""
SPECIAL = ("/proc", "/sys", "/dev")
"""File systems of the kernel and of devices."""
MODULE_FILES = ("metadata.json", "manifests/init.pp")
"""Files of which every module has one."""

FENCES: list[tuple[str, str]] = []
"""Directories as they are named, and the directories without links that their files stay in."""


def fence(directory: str) -> None:
    """Let the files below a directory, or below the repository that it is in, lead to others of it only."""
    start = top = os.path.realpath(directory)
    while not os.path.lexists(os.path.join(top, ".git")):
        above = os.path.dirname(top)
        if above == top:
            top = start
            break
        top = above
    found = os.path.abspath(directory), top
    if found not in FENCES:
        FENCES.append(found)


@contextmanager
def fenced(directory: str) -> Iterator[None]:
    """Have a fence around a directory, and those that are added meanwhile, until the end of the block."""
    before = FENCES[:]
    fence(directory)
    try:
        yield
    finally:
        FENCES[:] = before


def check_inside(path: str, real: str | None = None) -> None:
    """Raise OSError for a path that leads out of its fence; ``real`` is the path without links."""
    if FENCES and leads_out(path, os.path.realpath(path) if real is None else real):
        raise OSError(errno.EXDEV, "a symbolic link leads out of the project", path)


def leads_out(path: str, real: str) -> bool:
    """Return whether a path leads out of the innermost fence that it is in, and not to a module."""
    whole = os.path.abspath(path)
    around = [(side, one[1]) for one in FENCES for side in one if is_inside(whole, side)]
    if not around or is_inside(real, max(around, key=lambda one: len(one[0]))[1]):
        return False
    if any(is_inside(real, one) for one in SPECIAL):
        return True
    return not is_safe(real) and not is_in_module(real)


def is_in_module(path: str) -> bool:
    """Return whether a file or directory is, or is in, the directory of a module."""
    while not is_module(path):
        above = os.path.dirname(path)
        if above == path:
            return False
        path = above
    return True


def is_module(directory: str) -> bool:
    """Return whether a directory is that of a module."""
    return any(os.path.isfile(os.path.join(directory, name)) for name in MODULE_FILES)


def is_safe(real: str) -> bool:
    """Return whether the user trusts the files of a directory, whose path has no links."""
    folders = [one for one in os.environ.get(SAFE, "").split(os.pathsep) if one]
    return "*" in folders or any(is_inside(real, os.path.realpath(one)) for one in folders)


def is_inside(path: str, folder: str) -> bool:
    """Return whether a path is a folder or in it.

    >>> is_inside("/a/b", "/a"), is_inside("/ab", "/a"), is_inside("/a", "/")
    (True, False, True)
    """
    return path == folder or path.startswith(folder.rstrip("/") + "/")
