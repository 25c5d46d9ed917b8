"""Batch requests answered by workers: lines in, lines out, in the same order.

The parent reads requests, gives each to a worker, and writes the answers in the order of the requests.
"""

from __future__ import annotations

import selectors
from collections import deque
from collections.abc import Callable
from functools import partial

from bunraku.base.records import record
from bunraku.base.standard_streams import read_descriptor, write_descriptor
from bunraku.limits.limits import DEFAULT_BYTES, limit_memory
from bunraku.world.workers import Result, Workers

Answerer = Callable[[bytes], bytes]

RECYCLE = 4000  # cases after which a worker gives way to a fresh one
CHUNK = 1 << 20
SPENT = (b'"status":"crash"', b'"status":"timeout"')
AHEAD = 64  # requests read ahead for each worker


@record()
class Job:
    """A request and, once known, its answer."""

    line: bytes
    timeout: float
    answer: bytes | None = None


class Lines:
    """The lines that arrive at a file descriptor, as they come."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.open = True
        self.pieces: list[bytes] = []  # of a line whose end has not come yet
        self.always_ready = not self.can_be_watched()

    def can_be_watched(self) -> bool:
        """Return whether the system can signal input; it cannot for files, always readable."""
        with selectors.DefaultSelector() as selector:
            try:
                selector.register(self.descriptor, selectors.EVENT_READ)
            except PermissionError:
                return False
        return True

    def read(self) -> list[bytes]:
        """Return the complete lines received until now, without blank ones."""
        chunk = read_descriptor(self.descriptor, CHUNK)
        self.open = bool(chunk)
        if self.open and b"\n" not in chunk:
            self.pieces.append(chunk)
            return []
        *lines, rest = b"".join([*self.pieces, chunk]).split(b"\n")
        self.pieces = [rest] if rest and self.open else []
        if not self.open:
            lines.append(rest)
        return [line for line in lines if line.strip()]


class Pool:
    """Workers between an input of request lines and an output of answer lines."""

    def __init__(
        self,
        answer: Answerer,
        size: int,
        timeout_of: Callable[[bytes], float],
        failure: Callable[[bytes, str, str], bytes],
    ) -> None:
        self.answer = answer
        self.size = size
        self.timeout_of = timeout_of
        self.failure = failure
        self.given = 0
        self.waiting: deque[Job] = deque()
        self.running: dict[int, Job] = {}
        self.pending: deque[Job] = deque()

    def run(self, source: int, target: int) -> None:
        """Serve from one file descriptor to another until the end of input."""
        incoming = Lines(source)
        prepare = partial(limit_memory, DEFAULT_BYTES)
        with Workers(self.answer, self.size, prepare=prepare, spent=is_spent) as workers:
            while incoming.open or self.pending:
                room = incoming.open and len(self.pending) < self.size * AHEAD
                at_once = room and incoming.always_ready
                watched = source if room and not at_once else None
                ready = False
                if self.running or watched is not None:
                    results, ready = workers.wait(watched, poll=at_once)
                    for result in results:
                        self.take(result)
                if ready or at_once:
                    self.read(incoming)
                self.hand_out(workers)
                self.write_answers(target)

    def read(self, incoming: Lines) -> None:
        """Take in the requests that are there."""
        for line in incoming.read():
            job = Job(line, self.timeout_of(line))
            self.waiting.append(job)
            self.pending.append(job)

    def hand_out(self, workers: Workers) -> None:
        """Give waiting requests to workers."""
        while self.waiting and workers.free():
            job = self.waiting.popleft()
            self.given += 1
            self.running[self.given] = job
            lost = workers.give(self.given, job.line, job.timeout)
            if lost is not None:
                self.take(lost)

    def take(self, result: Result) -> None:
        """Keep the answer to a request; a worker that ended without one is answered for."""
        job = self.running.pop(result.number)
        if result.status == "answered":
            job.answer = result.answer
        elif result.status == "crash":
            job.answer = self.failure(job.line, "crash", f"the worker ended: {result.ending}")
        else:
            job.answer = self.failure(job.line, "timeout", "the case took too long")

    def write_answers(self, target: int) -> None:
        """Write the answers that are next in order."""
        while self.pending and (answer := self.pending[0].answer) is not None:
            self.pending.popleft()
            write_descriptor(target, answer)


def is_spent(answer: bytes, served: int) -> bool:
    """Return whether a worker is to be replaced.

    This is the case after many cases, after a crash, and after a time limit, which can interrupt
    any code.
    """
    return served >= RECYCLE or any(status in answer for status in SPENT)
