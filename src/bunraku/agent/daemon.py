"""Runs in intervals until a signal stops them; each run is a process of its own.

SIGUSR1 starts a run now, SIGHUP starts the program again, SIGTERM and SIGINT end it after the run
in progress has stopped.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from bunraku.agent.settings import Settings
from bunraku.agent.splay import splay_seconds
from bunraku.providers.base import Log

RUN_NOW, RESTART = signal.SIGUSR1, signal.SIGHUP
STOPPING = frozenset({signal.SIGTERM, signal.SIGINT})
AWAITED = frozenset({RUN_NOW, RESTART, *STOPPING})
POLL = 1.0
"""Seconds after which the end of a run is looked for, should no signal tell of it."""


class Daemon:
    """Starts ``run`` in a child process at each interval of the settings."""

    def __init__(self, settings: Settings, log: Log, run: Callable[[], int]) -> None:
        self.interval = settings.number("runinterval")
        self.splay = settings.number("splaylimit") if settings.flag("splay") else 0.0
        self.log = log
        self.run = run
        self.ending: int | None = None
        """The signal that ends the loop."""
        self.again = False
        """Whether a run was requested while another one was in progress."""

    def serve(self) -> int:
        """Run until a signal ends it, and return the number of that signal."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {*AWAITED, signal.SIGCHLD})
        try:
            due = monotonic() + splay_seconds(self.splay)
            self.log("info", f"Running agent every {self.interval:g} seconds")
            while True:
                self.wait_until(due)
                if self.ending is not None:
                    return self.ending
                due = monotonic() + self.interval
                self.again = False
                self.run_in_child(before)
                if self.again:
                    due = monotonic()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def wait_until(self, due: float) -> None:
        """Wait until a time of the monotonic clock, or a signal that starts a run or ends the loop."""
        while self.ending is None:
            found = signal.sigtimedwait(AWAITED, max(0.0, due - monotonic()))
            if found is None:
                return
            self.note(found.si_signo)
            if found.si_signo == RUN_NOW:
                return

    def note(self, number: int) -> None:
        """Log a signal, and remember it if it ends the loop."""
        name = signal.Signals(number).name.removeprefix("SIG")
        if number == RUN_NOW:
            self.log("notice", f"Caught {name}; running now")
        else:
            self.ending = number
            self.log("notice", f"Caught {name}; {'restarting' if number == RESTART else 'exiting'}")

    def run_in_child(self, mask: set[signal.Signals] | set[int]) -> None:
        """Run in a child process and wait for its end; a signal that ends the loop ends it, too."""
        child = os.fork()
        if child == 0:
            code = 1
            try:
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
                code = self.run()
            finally:
                os._exit(code)
        while not has_ended(child):
            found = signal.sigtimedwait({*AWAITED, signal.SIGCHLD}, POLL)
            if found is None or found.si_signo == signal.SIGCHLD:
                continue
            self.note(found.si_signo)
            if found.si_signo == RUN_NOW:
                self.again = True
            elif found.si_signo in STOPPING:
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGTERM)


def has_ended(child: int) -> bool:
    """Return whether a child process has ended."""
    return os.waitpid(child, os.WNOHANG)[0] == child


def detach() -> bool:
    """Continue in a process of its own session, without a terminal; return False in the old one."""
    if os.fork():
        return False
    os.setsid()
    if os.fork():
        os._exit(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    if nothing > 2:
        os.close(nothing)
    return True
