"""Give jobs to the compile processes and wait for their answers."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable
from threading import BoundedSemaphore
from time import monotonic, sleep

from bunraku.base.records import field, record
from bunraku.server.compiling.channel import ChannelClosed, limit_waits, receive, send
from bunraku.server.issues import COMPILER_ENDED, COMPILERS_BUSY
from bunraku.web.http import ClientGone

MOST_WAITING = 384
"""Callers that wait at the same time; the others are told to come again."""
POLL = 1.0
"""Seconds between two looks at whether the client still waits."""
GRACE = 20.0
"""Seconds after the time limit in which the answer must come."""
RETRY = 0.05
TRANSFER_SECONDS = 60


@record(frozen=True)
class Compilers:
    """The processes that listen at the Unix socket ``path``.

    ``seconds`` is the time limit of a job, ``wait`` how long a job may be queued. ``slots`` limits
    how many callers wait at the same time, so threads are left for other requests.
    """

    path: str
    seconds: float
    wait: float
    slots: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(MOST_WAITING))

    def ask(self, job: bytes, gone: Callable[[], bool]) -> list[bytes]:
        """Return the answer to a job.

        Raise ClientGone if ``gone`` returns true before, COMPILERS_BUSY if no process takes the job
        in time, COMPILER_ENDED if the process ends before it has answered.
        """
        if not self.slots.acquire(blocking=False):
            raise COMPILERS_BUSY(seconds="0")
        try:
            return self.answer(job, gone)
        finally:
            self.slots.release()

    def answer(self, job: bytes, gone: Callable[[], bool]) -> list[bytes]:
        """Return the answer to a job."""
        busy_at = monotonic() + self.wait
        with self.connected(busy_at, gone) as channel:
            try:
                send(channel, [job])
                self.await_data(channel, busy_at, gone)
                receive(channel)
            except (ChannelClosed, OSError):
                raise COMPILER_ENDED() from None
            try:
                late_at = monotonic() + self.seconds + GRACE if self.seconds else None
                self.await_data(channel, late_at, gone)
                return receive(channel)
            except (ChannelClosed, OSError):
                raise COMPILER_ENDED() from None

    def connected(self, busy_at: float, gone: Callable[[], bool]) -> socket.socket:
        """Return a channel to the processes, once their queue has room."""
        while True:
            channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            channel.setblocking(False)
            try:
                channel.connect(self.path)
                channel.setblocking(True)
                limit_waits(channel, TRANSFER_SECONDS)
                return channel
            except BlockingIOError:
                channel.close()
            except (ConnectionRefusedError, FileNotFoundError):  # no process is left
                channel.close()
                raise COMPILER_ENDED() from None
            self.check(busy_at, gone)
            sleep(RETRY)

    def await_data(
        self, channel: socket.socket, until: float | None, gone: Callable[[], bool]
    ) -> None:
        """Wait until a channel can be read."""
        poll = select.poll()
        poll.register(channel, select.POLLIN)
        while not poll.poll(POLL * 1000):
            self.check(until, gone)

    def check(self, until: float | None, gone: Callable[[], bool]) -> None:
        """Raise if the client has gone or the time is over."""
        if gone():
            raise ClientGone
        if until is not None and monotonic() > until:
            raise COMPILERS_BUSY(seconds=f"{self.wait:g}")
