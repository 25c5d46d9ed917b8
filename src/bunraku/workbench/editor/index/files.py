"""The files of a workspace that the index has."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from stat import S_ISREG

from bunraku.workbench.editor.index.store import FileState
from bunraku.workbench.editor.languages.ruby import is_ruby_of_module

SKIPPED = frozenset({"node_modules", "pkg", "coverage", "__pycache__"})
EXTENSIONS = (".pp", ".epp", ".erb", ".yaml", ".yml", ".eyaml")
NAMES = ("/metadata.json", "/Puppetfile", "/environment.conf")
MOST_BYTES = 2_000_000
"""Larger files are data or generated; they are not indexed."""


def indexed_files(roots: Iterable[str]) -> Iterator[tuple[str, FileState]]:
    """Yield the paths and states of the files below some directories, each once."""
    seen: set[str] = set()
    tops = [os.path.abspath(one) for one in reversed(list(roots))]
    waiting = [(one, os.path.realpath(one)) for one in tops]
    while waiting:
        directory, real = waiting.pop()
        if real in seen:
            continue
        seen.add(real)
        try:
            entries = sorted(os.scandir(directory), key=lambda one: one.name)
        except OSError:
            continue  # it was removed, or this user may not read it
        for entry in entries:
            if entry.name.startswith(".") or entry.name in SKIPPED:
                continue
            if is_indexed(entry.path):
                state = file_state(entry)
                if state is not None:
                    yield entry.path, state
            elif entry.is_dir():
                is_link = entry.is_symlink()
                below = os.path.realpath(entry.path) if is_link else f"{real}/{entry.name}"
                waiting.append((entry.path, below))


def is_indexed(path: str) -> bool:
    """Return whether the index has files of a name.

    >>> [is_indexed(f"/m/{name}") for name in ("a.pp", "lib/facter/a.rb", "spec/a_spec.rb")]
    [True, True, False]
    """
    if path.endswith(EXTENSIONS):
        return True
    return path.endswith(NAMES) or is_ruby_of_module(path)


def file_state(entry: os.DirEntry[str]) -> FileState | None:
    """Return the state of a file; None if it is too large for the index, or no file."""
    try:
        return state_in(entry.stat())
    except OSError:
        return None  # a link that leads nowhere


def state_at(path: str) -> FileState | None:
    """Return the state of the file at a path; None if the index cannot have it."""
    try:
        return state_in(os.stat(path))
    except (OSError, ValueError):
        return None


def state_in(status: os.stat_result) -> FileState | None:
    """Return the time and size in a status; None unless it is that of a regular file small enough for the index."""
    if not S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
        return None
    return status.st_mtime_ns, status.st_size
