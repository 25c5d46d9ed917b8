"""Locks on files that processes of bunraku hold against each other."""

from __future__ import annotations

from collections.abc import Callable
from time import sleep

from bunraku.base import locks

PAUSE = 0.02
"""Seconds between two attempts to get a lock."""


def await_lock(
    handle: int, *, shared: bool = False, waiting: Callable[[], object] = lambda: None
) -> None:
    """Lock an open file as soon as no other process holds it; ``waiting`` is called if one does.

    The kernel could wait instead, but a signal that comes right before would not end that wait.
    Raise OSError.
    """
    is_waiting = False
    while not locks.try_lock(handle, shared=shared):
        if not is_waiting:
            is_waiting = True
            waiting()
        sleep(PAUSE)
