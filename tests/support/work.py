"""How much work code does, counted in calls or lines: the same on every machine and under any load.

Calls cost little to count. Lines cost ten times the run, but a loop without calls shows in them alone.
"""

from __future__ import annotations

import cProfile
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

Result = TypeVar("Result")

HANG = 600.0
"""Seconds of the processor after which code counts as hanging: no statement about its speed."""


def counted(function: Callable[[], Result]) -> tuple[Result, int]:
    """Return the result of a function, and the number of calls that it made, of C functions too."""
    profiler = cProfile.Profile()
    with watched():
        try:
            result = profiler.runcall(function)
        finally:
            profiler.disable()
    return result, sum(entry.callcount for entry in profiler.getstats())


def lines_of(function: Callable[[], object]) -> int:
    """Return the number of lines that a function runs, one each time that they run."""
    count = 0

    def trace(_frame: FrameType, event: str, _value: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return count


def grows_faster(work_of: Callable[[int], Callable[[], object]], size: int) -> str | None:
    """Return how the lines of work of some size, and of twice that, differ if not by about two.

    Texts are cut, and only one of them may end in an error: the search for advice reads 200 tokens back.
    """
    work_of(size)()  # work that is done once, such as imports
    once, twice = lines_of(work_of(size)), lines_of(work_of(2 * size))
    return None if twice < 2.4 * once + 4000 else f"{once} lines, {twice} for twice as much"


@contextmanager
def watched(seconds: float = HANG) -> Iterator[None]:
    """Raise :class:`Hanging` in code that does not end; only the main thread can do this."""

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
