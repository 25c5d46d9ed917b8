"""How often caches were to be emptied: those of all environments, and those of single ones.

Several front processes read the orders in a file, which one process writes.
"""

from __future__ import annotations

import os
from collections import Counter
from threading import Lock

from bunraku.world.whole_files import write_whole

MODE = 0o600
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
    """Orders in a file, a line for each, which other processes follow."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.lines: list[str] = []
        write_whole(path, b"", mode=MODE)

    def add(self, environment: str | None = None) -> None:
        """See :class:`Flushes`; the processes that follow the file know the order afterwards."""
        with self.lock:
            self.lines.append(f"{environment or ALL}\n")
            write_whole(self.path, "".join(self.lines).encode(), mode=MODE)
        super().add(environment)


class FollowedFlushes(Flushes):
    """The orders in a file, which another process writes. The file grows with each of them."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
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
        """Take the orders that are new."""
        if os.stat(self.path).st_size == self.size:
            return
        with self.lock, open(self.path, "rb") as file:
            content = file.read()
            self.orders.update(content[self.size :].decode().splitlines())
            self.size = len(content)
