"""The open folder of the cache on disk, for the entries and for the count of their bytes."""

from __future__ import annotations

import os

from bunraku.base.lazy_typing import Any

BLOCK = 4096
"""The size of a file on disk is a multiple of this."""
PAUSES = tuple(0.0005 * 2**attempt for attempt in range(10))
"""Seconds between attempts to lock the file with the sum, which is locked for microseconds."""

TEMPORARY = ".new-"
PRIVATE_FILE = 0o600


def file_size(size: int) -> int:
    """Return the bytes that a file takes on the disk.

    >>> file_size(1), file_size(4096), file_size(4097)
    (4096, 4096, 8192)
    """
    return -(-size // BLOCK) * BLOCK


class OpenFolder:
    """The folder with the entries, open for as long as something uses it."""

    def __init__(self, handle: int) -> None:
        self.identity = identity_of(handle)
        self.handle = handle
        self.written = 0
        """Bytes that were written and are not in the file ``usage`` yet."""
        self.pauses: tuple[float, ...] = PAUSES
        """Pauses while waiting for other processes; none after a process did not release the file."""

    def is_open(self) -> bool:
        """Return whether the descriptor is still that of the folder; a daemon may close them all."""
        try:
            return identity_of(self.handle) == self.identity
        except OSError:
            return False

    def __del__(self, fstat: Any = os.fstat, close: Any = os.close) -> None:
        # When the process ends, the names of this module may be gone before the folder is.
        try:
            status = fstat(self.handle)
        except OSError:
            return
        if (status.st_dev, status.st_ino) == self.identity:
            close(self.handle)


def identity_of(handle: int) -> tuple[int, int]:
    """Return the bytes that belong to no other open file."""
    status = os.fstat(handle)
    return status.st_dev, status.st_ino
