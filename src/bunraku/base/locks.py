"""Locks on open files: those of POSIX systems, and bytes of files where Windows locks these."""

from __future__ import annotations

import errno
import os

from bunraku.base.lazy_typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

try:
    import fcntl
except ImportError:  # Windows
    HAS_FLOCK = False
else:
    HAS_FLOCK = True
PLACE_OF_LOCKS = 1 << 40
"""Where Windows locks bytes, beyond the end of each file: other programs cannot read locked bytes."""
MOST_SHARING = 1024
NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS})
"""Errors of file systems without locks."""


def try_lock(handle: int, *, shared: bool = False) -> bool:
    """Lock an open file for this process until it is closed; return False if another one holds it.

    Processes that ask for a shared lock have it together. Raise OSError, as on file systems without locks.
    """
    if not HAS_FLOCK:
        return try_lock_bytes(handle, shared)
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def try_lock_bytes(handle: int, shared: bool) -> bool:
    """Lock bytes of an open file as Windows does: one of them if others may lock theirs, else all."""
    lock = byte_lock()
    if shared:
        return any(lock(handle, PLACE_OF_LOCKS + at, 1) for at in range(MOST_SHARING))
    return lock(handle, PLACE_OF_LOCKS, MOST_SHARING)


def byte_lock() -> Callable[[int, int, int], bool]:
    """Return the function that locks bytes; raise OSError on a system without one."""
    try:
        msvcrt: Any = __import__("msvcrt")
    except ImportError:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK)) from None

    def lock(handle: int, start: int, size: int) -> bool:
        before = os.lseek(handle, 0, os.SEEK_CUR)
        os.lseek(handle, start, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, size)
        except PermissionError:
            return False
        finally:
            os.lseek(handle, before, os.SEEK_SET)
        return True

    return lock
