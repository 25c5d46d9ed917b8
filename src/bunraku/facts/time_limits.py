"""Time limits of custom facts.

A limit counts processor time: a fact is not lost because other programs keep the machine busy. A fact
that only waits ends after ten times as long, and at least a minute.
"""

from __future__ import annotations

import json
import os
import select
from collections.abc import Callable, Iterator
from math import inf
from time import monotonic
from typing import Any, NamedTuple

from bunraku.world.processes import Program

FACTOR = 10.0
"""The limit of waiting, as a multiple of the limit of computing."""
LEAST = 60.0
"""The lowest limit of waiting in seconds."""
QUIET = 0.25
"""Seconds of waiting that are not looked at closely: nearly all facts take less."""
LOOK = 0.5
"""Seconds between two looks at a fact that takes longer."""
CHUNK = 1 << 16


class Limit(NamedTuple):
    """How long a fact may take, in seconds."""

    processor: float
    clock: float
    declared: bool = False
    """Whether the fact declares the limit."""

    def excess(self, used: float, waited: float) -> str | None:
        """Return the reason to drop a fact that used and waited some seconds; None if it may go on.

        >>> limit_of(10).excess(used=9.9, waited=99.0)
        >>> limit_of(10).excess(used=10.1, waited=10.1)
        'it used more than 10 seconds of processor time'
        >>> limit_of(10).excess(used=0.1, waited=100.1)
        'it did not end within 100 seconds'
        """
        if used > self.processor:
            return f"it used more than {self.processor:g} seconds of processor time"
        return f"it did not end within {self.clock:g} seconds" if waited > self.clock else None


class Exceeded(NamedTuple):
    """The end of a fact by its limit."""

    reason: str


def limit_of(
    seconds: float, *, clock: bool = False, declared: bool = False, least: float = LEAST
) -> Limit:
    """Return the limit for a number of seconds, 0 for none; by the ``clock`` alone if that is wanted.

    ``least`` is the lowest limit of waiting.

    >>> limit_of(2), limit_of(0).clock, limit_of(2, clock=True)[:2]
    (Limit(processor=2, clock=60.0, declared=False), inf, (inf, 2))
    """
    if not seconds:
        return Limit(inf, inf, declared)
    if clock:
        return Limit(inf, seconds, declared)
    return Limit(seconds, max(least, FACTOR * seconds), declared)


START = Limit(60.0, 600.0)
"""The limit for the start of a program."""


def lines_of(program: Program, limit: Callable[[], Limit]) -> Iterator[dict[str, Any] | Exceeded]:
    """Yield the lines that a program writes, as data, or at last that it exceeded the limit of a line."""
    assert program.stdout is not None
    output, rest = program.stdout.fileno(), b""
    readable = select.poll()
    readable.register(output, select.POLLIN)
    while True:
        reason = excess_before_output(program, readable, limit())
        if reason is not None:
            yield Exceeded(reason)
            return
        chunk = os.read(output, CHUNK)
        if not chunk:
            return
        *complete, rest = (rest + chunk).split(b"\n")
        for line in complete:
            yield json.loads(line)


def excess_before_output(program: Program, readable: select.poll, limit: Limit) -> str | None:
    """Wait for output; return the reason to end the program if it exceeds the limit before.

    Time in which this process itself did not run is not counted.
    """
    quiet = min(QUIET, limit.processor, limit.clock)
    if readable.poll(quiet * 1000):
        return None
    before, waited = program.processor_time(), quiet
    while True:
        started = monotonic()
        if readable.poll(LOOK * 1000):
            return None
        waited += min(monotonic() - started, 2 * LOOK)
        reason = limit.excess(program.processor_time() - before, waited)
        if reason is not None:
            return reason
