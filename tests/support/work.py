"""How much work code does, counted in calls: unlike seconds, the same on every machine and under any load."""

from __future__ import annotations

import cProfile
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

Result = TypeVar("Result")

HANG = 600.0
"""Seconds of the processor after which code counts as hanging: no statement about its speed."""


def counted(function: Callable[[], Result]) -> tuple[Result, int]:
    """Return what a function returns, and the number of calls that it made, of C functions too."""
    profiler = cProfile.Profile()
    with watched():
        try:
            result = profiler.runcall(function)
        finally:
            profiler.disable()
    return result, sum(entry.callcount for entry in profiler.getstats())


@contextmanager
def watched(seconds: float = HANG) -> Iterator[None]:
    """Raise :class:`Hanging` in what does not end; only the main thread can do that."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise Hanging

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class Hanging(BaseException):
    """Code does not end."""
