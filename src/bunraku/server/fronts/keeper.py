"""The process that keeps the front processes: it replaces those that end, and passes signals on to them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep
from types import FrameType

from bunraku.world import processes

SHORT_LIFE = 1.0
"""Seconds: the replacement of a process that lived shorter than that waits as long."""


class FrontKeeper:
    """Keeps ``size`` processes that do ``work`` until SIGTERM, which it passes on; then it waits for their ends.

    ``close`` closes the sockets of this process, which would keep the port open until then.
    """

    def __init__(
        self,
        size: int,
        work: Callable[[], None],
        log: Callable[[str], None],
        close: Callable[[], None],
    ) -> None:
        self.size = size
        self.work = work
        self.log = log
        self.close = close
        self.started: dict[int, float] = {}
        self.is_stopping = False

    def keep(self) -> None:
        """Keep the processes, and return when they have ended after a signal to stop."""
        signal.signal(signal.SIGTERM, self.stop)
        signal.signal(signal.SIGHUP, self.pass_on)
        signal.signal(signal.SIGUSR1, self.pass_on)
        self.fill()
        while self.started:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
            if ended is not None:
                self.reap(ended.si_pid)
            self.fill()

    def fill(self) -> None:
        """Start the processes that are missing, unless they are to end."""
        while len(self.started) < self.size and not self.is_stopping:
            self.begin(processes.fork(self.work))

    def begin(self, pid: int) -> None:
        """Take note of a new process; a signal to stop may have come before it was known."""
        self.started[pid] = monotonic()
        if self.is_stopping:
            self.send(pid, signal.SIGTERM)

    def reap(self, pid: int) -> None:
        """Take note of the end of a process."""
        _, status = os.waitpid(pid, 0)
        life = monotonic() - self.started.pop(pid, 0.0)
        if self.is_stopping:
            return
        self.log(f"Front process {pid} is replaced: {processes.ending(status)}")
        if life < SHORT_LIFE:
            sleep(SHORT_LIFE)

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        """Let the processes end; a second signal interrupts their requests."""
        self.is_stopping = True
        self.close()
        for pid in list(self.started):
            self.send(pid, signal.SIGTERM)

    def pass_on(self, number: int, _frame: FrameType | None) -> None:
        """Send a signal to all processes."""
        for pid in list(self.started):
            self.send(pid, signal.Signals(number))

    @staticmethod
    def send(pid: int, number: signal.Signals) -> None:
        """Send a signal to a process that may have ended."""
        with suppress(ProcessLookupError):
            os.kill(pid, number)
