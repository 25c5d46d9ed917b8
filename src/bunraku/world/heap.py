"""How the C library shares out the memory of a process with many threads."""

from __future__ import annotations

M_TRIM_THRESHOLD = -1
M_MMAP_THRESHOLD = -3
M_ARENA_MAX = -8
ARENAS = 1
"""Heaps for all threads. glibc makes eight for each processor, and each keeps what was freed in it.

One is enough: threads take and free memory while they hold the lock of Python.
"""
LARGE = 128 * 1024
"""Bytes from which a block is given back when it is freed, and which the end of a heap may have free.

These are glibc's values at the start. It raises both with the size of freed blocks, up to 64 MiB: after
some catalogs of a megabyte the heap would keep their memory.
"""


def give_back_freed_memory() -> None:
    """Make the C library give freed memory back to the system; do nothing unless it is glibc.

    Call this before threads are started. A process with one thread gains little by it. Source of the
    parameters: the manual page mallopt(3).
    """
    from ctypes import CDLL  # slow to import; only servers need it

    mallopt = getattr(CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_ARENA_MAX, ARENAS)
        mallopt(M_MMAP_THRESHOLD, LARGE)
        mallopt(M_TRIM_THRESHOLD, LARGE)
