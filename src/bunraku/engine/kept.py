"""The caches in memory that outlive a compile: empty and measure them.

The caches are beside the code that fills them and are made by :mod:`bunraku.base.bounded_cache`;
the contents of files are in :class:`bunraku.world.disk.Disk`. Nothing else outlives a compile.
"""

from __future__ import annotations

from bunraku.base import bounded_cache
from bunraku.engine.request import DISK

FILES = "contents of files"


def forget() -> None:
    """Drop everything that compiles of this process have kept, as in a new process."""
    bounded_cache.forget()
    DISK.forget()


def sizes() -> dict[str, int]:
    """Return the number of entries of each cache by its name.

    >>> forget()
    >>> sizes()["settings"]
    0
    """
    return {**bounded_cache.sizes(), FILES: DISK.count()}
