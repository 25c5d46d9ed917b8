"""Private temporary directories that never stay behind.

A directory is removed at the end of its ``with`` block, after Ctrl-C, SIGTERM and SIGHUP too. What a
killed process leaves is removed by the next run: the process held a lock on its directory, which the
kernel released. Only directories of the same user are touched.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PREFIX = "bunraku-"
CANDIDATES = ("TMPDIR", "TEMP", "TMP")
"""Variables that name the directory for temporary files, as for Python's ``tempfile``."""
FALLBACK = "/tmp"  # noqa: S108 (the names made there cannot be guessed)


def parent() -> str:
    """Return the directory for temporary files.

    >>> os.path.isabs(parent())
    True
    """
    for name in CANDIDATES:
        path = os.environ.get(name)
        if path and os.path.isdir(path):
            return os.path.abspath(path)
    return FALLBACK


@contextmanager
def scratch_directory() -> Iterator[str]:
    """Provide a private, empty directory, and remove it with all that it holds. Raise OSError.

    >>> with scratch_directory() as path:
    ...     oct(os.stat(path).st_mode & 0o777), os.listdir(path)
    ('0o700', [])
    >>> os.path.exists(path)
    False
    """
    path, lock = make()
    try:
        yield path
    finally:
        remove(path)
        os.close(lock)


def make() -> tuple[str, int]:
    """Make a directory; return its path and the descriptor that holds its lock."""
    above = parent()
    while True:
        path = f"{above}/{PREFIX}{os.getuid()}-{os.urandom(8).hex()}"
        os.mkdir(path, 0o700)
        lock = locked(path)
        # Between the two calls a run that cleans up may have taken it for a leftover.
        if lock is not None:
            if os.path.isdir(path):
                return path, lock
            os.close(lock)


def locked(path: str) -> int | None:
    """Lock a directory for this process and return the descriptor; None if another one holds it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def remove(path: str) -> None:
    """Remove a directory with all that it holds."""
    from shutil import rmtree  # slow to import

    rmtree(path, ignore_errors=True)


def remove_leftovers() -> None:
    """Remove the temporary directories of this user's runs that were killed."""
    above = parent()
    start = f"{PREFIX}{os.getuid()}-"
    with suppress(OSError):
        for name in os.listdir(above):
            if name.startswith(start):
                remove_leftover(f"{above}/{name}")


def remove_leftover(path: str) -> None:
    """Remove a temporary directory unless a run uses it or it belongs to another user."""
    lock = locked(path)
    if lock is None:
        return
    try:
        status = os.fstat(lock)
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid():
            remove(path)
    finally:
        os.close(lock)
