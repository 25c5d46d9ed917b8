"""How often caches were to be emptied: those of all environments, and those of single ones.

Several front processes read the orders in a file, to which one process appends them.
"""

from __future__ import annotations

import os
from collections import Counter
from threading import Lock

from bunraku.base.descriptors import write_all

ALL = ""
"""What stands for the name of an environment in an order for all caches."""


class Flushes:
    """Counters that jobs carry to the compile processes, which compare them with the last ones."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.orders: Counter[str] = Counter()

    def add(self, environment: str | None = None) -> None:
        """Order all processes to empty the caches of an environment, or all, before the next job."""
        with self.lock:
            self.orders[environment or ALL] += 1

    @property
    def count(self) -> int:
        """Orders for all caches."""
        return self.orders[ALL]

    def of_environments(self) -> dict[str, int]:
        """Return the orders for single environments."""
        with self.lock:
            return {name: number for name, number in self.orders.items() if name != ALL}


class WrittenFlushes(Flushes):
    """Orders that are appended to a file, a line for each."""

    def __init__(self, path: str) -> None:
        super().__init__()
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        self.descriptor = os.open(path, flags, 0o600)

    def add(self, environment: str | None = None) -> None:
        """See :class:`Flushes`; the processes that follow the file know the order afterwards."""
        with self.lock:
            write_all(self.descriptor, f"{environment or ALL}\n".encode())
        super().add(environment)

    def close(self) -> None:
        """Close the file."""
        os.close(self.descriptor)


class FollowedFlushes(Flushes):
    """The orders in a file, which another process appends."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self.size = 0

    def add(self, environment: str | None = None) -> None:
        """Do nothing: the process that writes the file gives the orders."""

    @property
    def count(self) -> int:
        """Orders for all caches."""
        self.follow()
        return super().count

    def of_environments(self) -> dict[str, int]:
        """See :class:`Flushes`."""
        self.follow()
        return super().of_environments()

    def follow(self) -> None:
        """Take the orders that were appended."""
        if os.fstat(self.descriptor).st_size == self.size:
            return
        with self.lock:
            length = os.fstat(self.descriptor).st_size - self.size
            content = os.pread(self.descriptor, length, self.size)
            whole = content[: content.rfind(b"\n") + 1]
            self.size += len(whole)
            self.orders.update(whole.decode().splitlines())
