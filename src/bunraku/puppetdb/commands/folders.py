"""Private folders whose changes reach the disk."""

from __future__ import annotations

import os
from contextlib import suppress
from threading import Condition
from typing import BinaryIO


def make_private(folder: str) -> None:
    """Make a folder that only its owner can read, or take these rights from others. Raise OSError."""
    os.makedirs(folder, 0o700, exist_ok=True)
    if os.stat(folder).st_mode & 0o077:
        os.chmod(folder, 0o700)


def open_folder(folder: str) -> int:
    """Return a descriptor of a folder. Raise OSError."""
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def create_private(path: str) -> BinaryIO:
    """Create a file that only its owner can read. Raise OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    return open(os.open(path, flags, 0o600), "wb")


def write_private(path: str, content: bytes) -> None:
    """Write a file that only its owner can read, durably. Raise OSError."""
    with suppress(FileNotFoundError):
        os.unlink(path)
    with create_private(path) as file:
        file.write(content)
        file.flush()
        os.fdatasync(file.fileno())


class FolderSync:
    """Puts the names in a folder on disk; threads that wait at the same time share one ``fsync``."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.changed = Condition()
        self.started = 0
        self.finished = 0
        self.running = False

    def wait(self) -> None:
        """Return when all renames before the call are on disk. Raise OSError."""
        with self.changed:
            needed = self.started + 1
            while self.finished < needed:
                if self.running:
                    self.changed.wait()
                else:
                    self.run()

    def run(self) -> None:
        """Sync the folder, with the lock released meanwhile."""
        self.running = True
        self.started += 1
        number = self.started
        self.changed.release()
        try:
            os.fsync(self.descriptor)
        finally:
            self.changed.acquire()
            self.running = False
            self.changed.notify_all()
        self.finished = number
