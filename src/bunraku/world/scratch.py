"""Private temporary directories that never stay behind.

A directory is removed at the end of its ``with`` block, after Ctrl-C, SIGTERM and SIGHUP too. What a
killed process leaves is removed by the next run: the process held a lock on its directory, which the
kernel released. Only directories of the same user are touched.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

PREFIX = "bunraku-"
VARIABLES = ("TMPDIR", "TMP", "TEMP")
"""Variables that name the directory for temporary files, in the order of Ruby's ``Dir.tmpdir``."""
FALLBACKS = ("/tmp", ".")  # noqa: S108 (the names made there cannot be guessed)


def parent(fallbacks: Sequence[str] = FALLBACKS) -> str:
    """Return the directory for temporary files: the first one that can be written to.

    The fallbacks are used if the variables name none. A directory in which others can rename files (writable for all, without the sticky bit) is taken
    only if there is no other; Ruby refuses it. Raise FileNotFoundError if there is none at all.

    >>> os.path.isabs(parent())
    True
    """
    named = [os.environ.get(name, "") for name in VARIABLES]
    usable = [path for path in (*named, *fallbacks) if path and is_usable(path)]
    safe = (path for path in usable if not is_open_to_all(path))
    found = next(safe, usable[0] if usable else None)
    if found is None:
        raise FileNotFoundError(errno.ENOENT, "no directory for temporary files can be written to")
    return os.path.abspath(found)


def is_usable(path: str) -> bool:
    """Return whether files can be made in a directory."""
    return os.path.isdir(path) and os.access(path, os.W_OK | os.X_OK)


def is_open_to_all(path: str) -> bool:
    """Return whether every user can rename and remove the files in a directory."""
    mode = os.stat(path).st_mode
    return bool(mode & stat.S_IWOTH) and not mode & stat.S_ISVTX


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
        path = f"{above}/{PREFIX}{os.geteuid()}-{os.urandom(8).hex()}"
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


def remove_leftovers(fallbacks: Sequence[str] = FALLBACKS) -> None:
    """Remove the temporary directories of this user's runs that were killed; see :func:`parent`."""
    start = f"{PREFIX}{os.geteuid()}-"
    with suppress(OSError):
        above = parent(fallbacks)
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
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid():
            remove(path)
    finally:
        os.close(lock)
