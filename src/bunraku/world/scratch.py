"""Private temporary directories that are always removed.

A directory is removed at the end of its ``with`` block, also after Ctrl-C, SIGTERM and SIGHUP. The
next run removes the directory of a killed process: the process held a lock on it, which the kernel
released. Only directories of the same user are touched.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from bunraku.base import locks, system
from bunraku.base.command_names import BEFORE_COMMANDS

PREFIX = "bunraku-"
VARIABLES = ("TMPDIR", "TMP", "TEMP")
"""Variables that may set the directory for temporary files, in the order of Ruby's ``Dir.tmpdir``."""
FALLBACKS = ("/tmp", ".")  # noqa: S108 (the names made there cannot be guessed)


def parent(fallbacks: Sequence[str] = FALLBACKS) -> str:
    """Return the directory for temporary files: the first writable one.

    The fallbacks are used if no variable sets a directory. A directory in which others can rename
    files (world-writable, without the sticky bit) is the last choice; Ruby refuses it. Raise
    FileNotFoundError if no directory is writable.

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
    """Return whether files can be created in a directory."""
    return os.path.isdir(path) and os.access(path, os.W_OK | os.X_OK)


def is_open_to_all(path: str) -> bool:
    """Return whether every user can rename and remove the files in a directory."""
    mode = os.stat(path).st_mode
    return bool(mode & stat.S_IWOTH) and not mode & stat.S_ISVTX


LOCK = "" if system.OPENS_FOLDERS else ".lock"
"""The end of the name of the lock: the directory itself can be locked only where it can be opened."""
LOCK_FLAGS = system.PLAIN | (
    os.O_RDONLY | system.DIRECTORY | system.NO_LINK if not LOCK else os.O_RDWR | os.O_CREAT
)


@contextmanager
def scratch_directory(above: str = "") -> Iterator[str]:
    """Create a private, empty directory, and remove it after the block. Raise OSError.

    It is in the directory ``above``, or in that for temporary files.

    >>> with scratch_directory() as path:
    ...     oct(os.stat(path).st_mode & 0o777), os.listdir(path)
    ('0o700', [])
    >>> os.path.exists(path)
    False
    """
    path, lock = make(above)
    try:
        yield path
    finally:
        remove(path)
        unlock(path, lock)


def make(above: str = "") -> tuple[str, int]:
    """Create a directory; return its path and the descriptor that holds its lock. Raise OSError."""
    above = above or parent()
    while True:
        path = f"{above}/{PREFIX}{system.user()}-{os.urandom(8).hex()}"
        os.mkdir(path, 0o700)
        try:
            os.chmod(path, 0o700)  # a umask may have taken rights of the owner
            lock = locked(path)
        except FileNotFoundError:  # another run has removed it as abandoned
            continue
        except OSError:
            os.rmdir(path)
            raise
        # Between the two calls, another run may have removed it, too.
        if lock is not None:
            if os.path.isdir(path):
                return path, lock
            unlock(path, lock)


def locked(path: str) -> int | None:
    """Lock a directory for this process and return the descriptor; None if it is locked or gone.

    Raise OSError if it cannot be opened for another reason.
    """
    try:
        descriptor = os.open(f"{path}{LOCK}", LOCK_FLAGS)
    except FileNotFoundError:
        return None
    try:
        is_free = locks.try_lock(descriptor)
    except OSError:
        os.close(descriptor)
        raise
    if is_free:
        return descriptor
    os.close(descriptor)
    return None


def unlock(path: str, lock: int) -> None:
    """Unlock a directory, and remove the file of the lock if there is one."""
    os.close(lock)
    if LOCK:
        with suppress(OSError):
            os.unlink(f"{path}{LOCK}")


def remove(path: str) -> None:
    """Remove a directory with its content."""
    try:
        os.rmdir(path)
    except OSError:  # it is not empty
        from shutil import rmtree  # slow to import

        rmtree(path, ignore_errors=True)


def remove_leftovers(fallbacks: Sequence[str] = FALLBACKS) -> None:
    """Remove the temporary directories of killed runs of this user; see :func:`parent`."""
    with suppress(OSError):
        remove_abandoned(parent(fallbacks))


def remove_abandoned(above: str) -> None:
    """Remove the directories of killed runs of this user from a directory. Raise OSError."""
    start = f"{PREFIX}{system.user()}-"
    for name in os.listdir(above):
        if name.startswith(start):
            remove_leftover(f"{above}/{name.removesuffix(LOCK)}")


def remove_leftover(path: str) -> None:
    """Remove a temporary directory unless a run uses it or it belongs to another user."""
    try:
        lock = locked(path)
    except OSError:  # of another user, or no directory
        return
    if lock is None:
        return
    try:
        status = os.fstat(lock)
        if LOCK or (stat.S_ISDIR(status.st_mode) and status.st_uid == system.user()):
            remove(path)
    finally:
        unlock(path, lock)


BEFORE_COMMANDS.append(remove_leftovers)
