"""Processes that answer batch requests: a hang or a crash costs one case, never the run.

The parent reads requests, hands each to an idle worker, and writes the answers in the order of the
requests. A worker is a fork of the parent with everything imported; one that is late or dead is
replaced.
"""

from __future__ import annotations

import os
import resource
import selectors
import signal
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from bunraku.records import field, record

Answerer = Callable[[bytes], bytes]

GRACE = 0.5  # seconds that an answer may be later than the case's own timeout
MEMORY = 4 << 30  # bytes of address space for a worker
RECYCLE = 4000  # cases after which a worker gives way to a fresh one
CHUNK = 1 << 20
AHEAD = 64  # requests read ahead for each worker


@record()
class Job:
    """A request and, once known, its answer."""

    line: bytes
    timeout: float
    answer: bytes | None = None


@record()
class Worker:
    """A process that answers one request after the other."""

    pid: int
    channel: socket.socket
    job: Job | None = None
    deadline: float = 0.0
    received: list[bytes] = field(default_factory=list)
    served: int = 0

    def give(self, job: Job) -> None:
        """Send a request; the answer is due by its timeout."""
        self.job = job
        self.deadline = monotonic() + job.timeout + GRACE
        self.channel.sendall(job.line + b"\n")

    def stop(self) -> str:
        """End the process, with all that it started, and say how it ended."""
        self.channel.close()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)  # it may be too young to lead a group
        _pid, status = os.waitpid(self.pid, 0)
        if os.WIFSIGNALED(status):
            return f"signal {os.WTERMSIG(status)}"
        return f"exit code {os.waitstatus_to_exitcode(status)}"


class Lines:
    """The lines that arrive at a file descriptor, as they come."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.open = True
        self.pieces: list[bytes] = []  # of a line whose end has not come yet
        self.always_ready = not self.can_be_watched()

    def can_be_watched(self) -> bool:
        """Whether the system can tell when there is input: not for files, which always have it."""
        with selectors.DefaultSelector() as selector:
            try:
                selector.register(self.descriptor, selectors.EVENT_READ)
            except PermissionError:
                return False
        return True

    def read(self) -> list[bytes]:
        """The lines that are complete by now, without blank ones."""
        chunk = os.read(self.descriptor, CHUNK)
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
        self.idle: list[Worker] = []
        self.busy: list[Worker] = []
        self.waiting: deque[Job] = deque()
        self.pending: deque[Job] = deque()
        self.selector = selectors.DefaultSelector()

    def run(self, source: int, target: int) -> None:
        """Serve from one file descriptor to another until the end of input."""
        incoming = Lines(source)
        try:
            while incoming.open or self.pending:
                room = len(self.pending) < self.size * AHEAD
                if self.wait(incoming if incoming.open and room else None):
                    for line in incoming.read():
                        job = Job(line, self.timeout_of(line))
                        self.waiting.append(job)
                        self.pending.append(job)
                self.end_late_workers()
                self.hand_out()
                self.write_answers(target)
        finally:
            for worker in self.idle + self.busy:
                worker.stop()

    def wait(self, incoming: Lines | None) -> bool:
        """Receive what workers have to say; True when the input, where it is wanted, is ready."""
        ready = incoming is not None and incoming.always_ready
        watched = incoming is not None and not ready
        if incoming is not None and watched:
            self.selector.register(incoming.descriptor, selectors.EVENT_READ)
        deadline = min((worker.deadline for worker in self.busy), default=None)
        seconds = 0 if ready else None if deadline is None else max(0.0, deadline - monotonic())
        events = self.selector.select(seconds) if self.busy or watched else []
        if incoming is not None and watched:
            self.selector.unregister(incoming.descriptor)
        for key, _events in events:
            if key.data is None:
                ready = True
            else:
                self.receive(key.data)
        return ready

    def hand_out(self) -> None:
        """Give waiting requests to idle workers, starting workers as needed."""
        while self.waiting and (self.idle or len(self.busy) < self.size):
            worker = self.idle.pop() if self.idle else self.start()
            job = self.waiting.popleft()
            self.busy.append(worker)
            self.selector.register(worker.channel, selectors.EVENT_READ, worker)
            try:
                worker.give(job)
            except OSError:
                self.end(worker, "crash")

    def start(self) -> Worker:
        """Fork a worker."""
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid:
            theirs.close()
            return Worker(pid, ours)
        ours.close()
        try:
            for other in self.idle + self.busy:
                other.channel.close()
            serve(theirs, self.answer)
        finally:
            os._exit(1)

    def receive(self, worker: Worker) -> None:
        """Read what a worker has to say; a whole line is the answer to its job."""
        try:
            chunk = worker.channel.recv(CHUNK)
        except OSError:
            chunk = b""
        if not chunk:
            self.end(worker, "crash")
            return
        worker.received.append(chunk)
        if chunk.endswith(b"\n") and worker.job:
            worker.job.answer = answered = b"".join(worker.received)
            worker.received.clear()
            worker.job = None
            worker.served += 1
            self.selector.unregister(worker.channel)
            self.busy.remove(worker)
            if worker.served >= RECYCLE or b'"status":"crash"' in answered:
                worker.stop()
            else:
                self.idle.append(worker)

    def end_late_workers(self) -> None:
        """Stop workers whose answer is overdue."""
        now = monotonic()
        for worker in [one for one in self.busy if one.deadline <= now]:
            self.end(worker, "timeout")

    def end(self, worker: Worker, status: str) -> None:
        """Stop a worker and answer its job in its place."""
        self.selector.unregister(worker.channel)
        self.busy.remove(worker)
        ended = worker.stop()
        job = worker.job
        if job is not None:
            text = f"the worker ended: {ended}" if status == "crash" else "the case took too long"
            job.answer = self.failure(job.line, status, text)

    def write_answers(self, target: int) -> None:
        """Write the answers that are next in order."""
        while self.pending and (answer := self.pending[0].answer) is not None:
            self.pending.popleft()
            view = memoryview(answer)
            while view:
                view = view[os.write(target, view) :]


def serve(channel: socket.socket, answer: Answerer) -> None:
    """The life of a worker: a line in, a line out, until the parent is gone."""
    os.setpgid(0, 0)  # so that what it starts can be ended with it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)  # nothing that a case prints may pass for an answer
    _soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    with channel.makefile("rb", CHUNK) as requests:
        for line in requests:
            channel.sendall(answer(line.rstrip(b"\n")))
    os._exit(0)
