"""Private folders whose changes reach the disk."""

from __future__ import annotations

import os
from contextlib import suppress
from threading import Condition
from typing import BinaryIO

from bunraku.world.whole_files import make_folders


def make_private(folder: str) -> None:
    """Make a folder that only its owner can read, or take these rights from others. Raise OSError."""
    make_folders(folder, 0o700)
    if os.stat(folder).st_mode & 0o077:
        os.chmod(folder, 0o700)


def open_folder(folder: str) -> int:
    """Return a descriptor of a folder. Raise OSError."""
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def sync_folder(folder: str) -> None:
    """Put the names in a folder on disk. Raise OSError."""
    descriptor = open_folder(folder)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def create_private(path: str) -> BinaryIO:
    """Create a file that only its owner can read. Raise OSError."""
    return open(open_private(path, new=True), "wb")


def open_private(path: str, *, new: bool) -> int:
    """Return a descriptor to read and write a file that only its owner can read. Raise OSError."""
    flags = os.O_RDWR | os.O_CLOEXEC
    return os.open(path, flags | os.O_CREAT | os.O_EXCL if new else flags, 0o600)


def write_private(path: str, content: bytes) -> None:
    """Write a file that only its owner can read, durably. Raise OSError."""
    with suppress(FileNotFoundError):
        os.unlink(path)
    with create_private(path) as file:
        file.write(content)
        file.flush()
        os.fdatasync(file.fileno())


class SharedSync:
    """Puts what a descriptor refers to on disk; threads that wait at the same time share one call.

    The descriptor is that of a folder, for the names in it, or of a file, for its data.
    """

    def __init__(self, descriptor: int, *, of_data: bool = False) -> None:
        self.descriptor = descriptor
        self.of_data = of_data
        self.changed = Condition()
        self.started = 0
        self.finished = 0
        self.running = False
        self.failure: tuple[int, OSError] | None = None

    def ticket(self) -> int:
        """Return what :meth:`wait` needs to know which changes were made before this call."""
        with self.changed:
            return self.started + 1

    def wait(self, ticket: int = 0) -> None:
        """Return when all changes before the call, or before that of the ticket, are on disk. Raise OSError.

        A failure is that of all who waited for it: Linux reports it once, and a later call
        succeeds although the changes are lost.
        """
        with self.changed:
            needed = ticket or self.started + 1
            while self.finished < needed:
                if self.running:
                    self.changed.wait()
                else:
                    self.run()
            if self.failure is not None and needed <= self.failure[0]:
                raise self.failure[1]

    def run(self) -> None:
        """Put changes on disk, with the lock released meanwhile; note a failure."""
        self.running = True
        self.started += 1
        number = self.started
        self.changed.release()
        failure = None
        try:
            (os.fdatasync if self.of_data else os.fsync)(self.descriptor)
        except OSError as error:
            failure = error
        finally:
            self.changed.acquire()
            self.running = False
            self.changed.notify_all()
        if failure is not None:
            self.failure = number, failure
        self.finished = number
