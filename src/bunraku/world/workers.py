"""A pool of forked processes that answer jobs: a hang or a crash fails one job, never the run.

Jobs and answers are bytes. They are sent over a socket pair that only the two processes have;
nothing else can write to it, so answers may be pickled. A worker is a fork of this process
with all modules imported. A late or dead worker is replaced.
"""

from __future__ import annotations

import os
import select
import selectors
import signal
import socket
import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import Self

from bunraku.base.lazy_typing import Literal
from bunraku.base.records import field, record
from bunraku.world import processes

CHUNK = 1 << 20
GRACE = 2.0
"""Seconds that an answer may come after the time limit of its job."""
CLEAN_UP = 1.0
"""Seconds that workers get to remove their temporary files when the run is interrupted."""
JOB = struct.Struct(">dQ")
"""The head of a job: its limit in seconds (0: none) and the length of its data."""
ANSWER = struct.Struct(">Q")

Status = Literal["answered", "crash", "timeout"]


@record(frozen=True)
class Result:
    """The end of a job: its answer, or the reason why its worker ended."""

    number: int
    status: Status
    answer: bytes = b""
    ending: str = ""


@record()
class Worker:
    """A process that answers jobs, one after the other."""

    pid: int
    channel: socket.socket
    number: int = -1
    deadline: float | None = None
    received: bytearray = field(default_factory=bytearray)
    served: int = 0

    def give(self, number: int, job: bytes, seconds: float) -> None:
        """Send a job; its time limit sets when the answer is due."""
        self.number = number
        self.deadline = monotonic() + seconds + GRACE if seconds else None
        self.channel.sendall(JOB.pack(seconds, len(job)))
        self.channel.sendall(job)

    def answer(self) -> bytes | None:
        """Return the answer once it is complete."""
        if len(self.received) < ANSWER.size:
            return None
        (length,) = ANSWER.unpack_from(self.received)
        if len(self.received) < ANSWER.size + length:
            return None
        found = bytes(memoryview(self.received)[ANSWER.size :])
        self.received.clear()
        return found

    def end(self, grace: float = 0.0) -> str:
        """End the process and its child processes, and return the reason of its end."""
        self.channel.close()
        return processes.ending(processes.end_group(self.pid, grace))


class Workers:
    """At most ``size`` processes that answer jobs with ``answer``; use it in a ``with`` block.

    ``prepare`` runs in each process before its first job. ``spent`` is called with an answer and
    the number of jobs that its worker has answered, and returns whether the worker is to be
    replaced.
    """

    def __init__(
        self,
        answer: Callable[[bytes], bytes],
        size: int,
        *,
        prepare: Callable[[], object] = lambda: None,
        spent: Callable[[bytes, int], bool] = lambda _answer, _served: False,
    ) -> None:
        self.answer = answer
        self.size = size
        self.prepare = prepare
        self.spent = spent
        self.idle: list[Worker] = []
        self.busy: list[Worker] = []
        self.selector = selectors.DefaultSelector()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """End all workers; after an interrupt, busy workers clean up first."""
        if error is not None:
            for worker in self.busy:
                with suppress(ProcessLookupError):
                    os.kill(worker.pid, signal.SIGTERM)
        deadline = monotonic() + CLEAN_UP
        for worker in self.busy:
            worker.end(max(0.0, deadline - monotonic()) if error is not None else 0.0)
        for worker in self.idle:
            worker.end()
        self.idle.clear()
        self.busy.clear()
        self.selector.close()

    def free(self) -> bool:
        """Return whether a worker can take a job now."""
        return bool(self.idle) or len(self.busy) < self.size

    def give(self, number: int, job: bytes, seconds: float = 0.0) -> Result | None:
        """Give a job to an idle worker or a new one; return its result if the worker is dead."""
        worker = self.idle.pop() if self.idle else self.start()
        self.busy.append(worker)
        self.selector.register(worker.channel, selectors.EVENT_READ, worker)
        try:
            worker.give(number, job, seconds)
        except OSError:
            return self.ended(worker, "crash")
        return None

    def start(self) -> Worker:
        """Fork a worker."""
        ours, theirs = socket.socketpair()

        def work() -> None:
            ours.close()
            for other in self.idle + self.busy:
                other.channel.close()
            self.prepare()
            serve(theirs, self.answer)

        pid = processes.fork(work)
        theirs.close()
        return Worker(pid, ours)

    def wait(self, watched: int | None = None, *, poll: bool = False) -> tuple[list[Result], bool]:
        """Wait for results; return them, and whether the descriptor ``watched`` is readable.

        With ``poll``, do not wait, but return the current results.
        """
        if watched is not None:
            self.selector.register(watched, selectors.EVENT_READ)
        try:
            deadlines = [one.deadline for one in self.busy if one.deadline is not None]
            seconds = max(0.0, min(deadlines) - monotonic()) if deadlines else None
            ready = False
            results = []
            for key, _events in self.selector.select(0 if poll else seconds):
                if key.data is None:
                    ready = True
                elif (result := self.receive(key.data)) is not None:
                    results.append(result)
        finally:
            if watched is not None:
                self.selector.unregister(watched)
        return results + self.late(), ready

    def receive(self, worker: Worker) -> Result | None:
        """Read from a worker; return the result of its job if it is complete."""
        try:
            chunk = worker.channel.recv(CHUNK)
        except OSError:
            chunk = b""
        if not chunk:
            return self.ended(worker, "crash")
        worker.received += chunk
        answer = worker.answer()
        if answer is None:
            return None
        self.selector.unregister(worker.channel)
        self.busy.remove(worker)
        worker.served += 1
        worker.deadline = None
        if self.spent(answer, worker.served):
            worker.end()
        else:
            self.idle.append(worker)
        return Result(worker.number, "answered", answer)

    def late(self) -> list[Result]:
        """End the workers whose answer is overdue."""
        now = monotonic()
        overdue = [one for one in self.busy if one.deadline is not None and one.deadline <= now]
        return [self.ended(worker, "timeout") for worker in overdue]

    def ended(self, worker: Worker, status: Status) -> Result:
        """End a worker and return the result of its job."""
        self.selector.unregister(worker.channel)
        self.busy.remove(worker)
        how = worker.end()
        if how == f"signal {int(signal.SIGPROF)}":
            status = "timeout"
        return Result(worker.number, status, ending=how)

    def results(self, jobs: Iterable[tuple[int, bytes, float]]) -> Iterator[Result]:
        """Yield the results of jobs (number, job, limit in seconds) as they are completed."""
        left = iter(jobs)
        job = next(left, None)
        while job is not None or self.busy:
            while job is not None and self.free():
                lost = self.give(*job)
                job = next(left, None)
                if lost is not None:
                    yield lost
            if self.busy:
                yield from self.wait()[0]


def serve(
    channel: socket.socket, answer: Callable[[bytes], bytes], idle: float | None = None
) -> None:
    """Answer jobs until the parent closes the channel, or gives no job for ``idle`` seconds.

    With a time limit, SIGPROF ends the process once a job has used that much processor time: the
    parent checks the clock; the kernel ends the process if the parent cannot.
    """
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    with suppress(OSError):  # no standard error
        os.dup2(2, 1)  # output of a job is not part of the result
    os.close(null)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    with channel, channel.makefile("rb", CHUNK) as jobs:
        while has_input(channel, idle) and (head := jobs.read(JOB.size)):
            seconds, length = JOB.unpack(head)
            job = jobs.read(length)
            signal.setitimer(signal.ITIMER_PROF, seconds + GRACE if seconds else 0.0)
            found = answer(job)
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            channel.sendall(ANSWER.pack(len(found)))
            channel.sendall(found)


def has_input(channel: socket.socket, seconds: float | None) -> bool:
    """Wait for data or the end of a channel; return whether it came in time."""
    return bool(select.select([channel], [], [], seconds)[0])
