"""A counter that all processes of a server share: how often their caches were to be emptied."""

from __future__ import annotations

import mmap
import struct

NUMBER = struct.Struct("Q")


class Flushes:
    """The counter; processes that are forked after it is made share it."""

    def __init__(self) -> None:
        self.memory = mmap.mmap(-1, NUMBER.size)

    @property
    def count(self) -> int:
        """How often the caches were to be emptied."""
        number: int
        (number,) = NUMBER.unpack_from(self.memory)
        return number

    def add(self) -> None:
        """Order all processes to empty their caches before the next job."""
        NUMBER.pack_into(self.memory, 0, self.count + 1)
