"""Runs in intervals until a signal stops them; each run is a process of its own.

SIGUSR1 starts a run now, SIGUSR2 opens the log files again, SIGHUP starts the program again, SIGTERM
and SIGINT end it after the run in progress has stopped. The messages are those of Puppet's agent.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import ExitStack, suppress
from math import inf
from time import monotonic

from bunraku.agent.settings import AgentSettings
from bunraku.agent.splay import splay_seconds
from bunraku.apply.records import Records
from bunraku.base.usage import UsageError
from bunraku.providers.run import Log
from bunraku.world.linux import LinuxHost

RUN_NOW, REOPEN, RESTART = signal.SIGUSR1, signal.SIGUSR2, signal.SIGHUP
ACTIONS = {RUN_NOW: "reload", REOPEN: "reopen_logs", RESTART: "restart"}
"""Signals that are stored until they are processed, with Puppet's words for what they do."""
STOPPING = frozenset({signal.SIGTERM, signal.SIGINT})
AWAITED = frozenset({*ACTIONS, *STOPPING})
POLL = 1.0
"""Seconds after which the end of a run is checked, in case a signal was lost."""


def nothing() -> None:
    """Do nothing."""


class Daemon:
    """Starts ``run`` in a child process at each interval of the settings.

    ``reread`` returns the settings after a run, ``reopen`` opens the log files again. ``alive`` is called
    at least each ``beat`` seconds, for a watchdog.
    """

    def __init__(
        self,
        settings: AgentSettings,
        log: Log,
        run: Callable[[], int],
        *,
        reread: Callable[[], AgentSettings] | None = None,
        reopen: Callable[[], None] = nothing,
        alive: Callable[[], None] = nothing,
        beat: float = inf,
    ) -> None:
        self.log = log
        self.run = run
        self.reread = reread
        self.reopen = reopen
        self.alive = alive
        self.beat = beat
        self.interval = settings.number("runinterval")
        self.limit = settings.number("splaylimit") if settings.flag("splay") else 0.0
        self.splay = splay_seconds(self.limit)
        """The delay of the first run; it stays for the time of the daemon, as Puppet's."""
        self.ending: int | None = None
        """The signal that ends the loop."""
        self.stored: list[int] = []
        """The signals that were caught and are not processed."""

    def serve(self) -> int:
        """Run until a signal ends it, and return the number of that signal."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {*AWAITED, signal.SIGCHLD})
        # Who starts the agent may let it ignore these signals until here; ignored ones cannot be awaited.
        handlers = {number: signal.signal(number, signal.SIG_DFL) for number in ACTIONS}
        try:
            due = monotonic() + self.splay
            while True:
                is_due = self.wait_until(due)
                if self.ending is not None:
                    return self.ending
                if is_due:
                    self.announce()
                begin = monotonic()
                self.run_in_child(before - AWAITED)
                if self.reread is not None:
                    self.interval = self.reread().number("runinterval")
                due = begin + self.interval
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def announce(self) -> None:
        """Log the interval before a run."""
        text = f"Running agent every {self.interval:g} seconds"
        if self.splay:
            text += f" with splay {self.splay:g} of {self.limit:g} seconds"
        self.log("info", text)

    def wait_until(self, due: float) -> bool:
        """Wait until a time of the monotonic clock, or a signal that starts a run or ends the loop.

        Return whether the time has come.
        """
        while not self.process() and self.ending is None:
            left = max(0.0, due - monotonic())
            self.alive()
            found = signal.sigtimedwait(AWAITED, min(left, self.beat))
            if found is not None:
                self.note(found.si_signo)
            elif left <= self.beat:
                return True
        return False

    def note(self, number: int) -> None:
        """Log a signal, and store it unless it ends the loop."""
        name = signal.Signals(number).name.removeprefix("SIG")
        if number in STOPPING:
            self.ending = number
            self.log("notice", f"Caught {name}; exiting")
        else:
            self.stored.append(number)
            self.log("notice", f"Caught {name}; storing {ACTIONS[signal.Signals(number)]}")

    def process(self) -> bool:
        """Do what the stored signals say; return whether one starts a run."""
        while self.stored and self.ending is None:
            number = self.stored.pop(0)
            self.log("notice", f"Processing {ACTIONS[signal.Signals(number)]}")
            if number == RUN_NOW:
                return True
            if number == REOPEN:
                self.reopen()
            else:
                self.ending = number
        return False

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
            self.alive()
            found = signal.sigtimedwait({*AWAITED, signal.SIGCHLD}, min(POLL, self.beat))
            if found is None or found.si_signo == signal.SIGCHLD:
                continue
            self.note(found.si_signo)
            if found.si_signo in STOPPING:
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


def process_file(settings: AgentSettings, host: LinuxHost) -> ExitStack:
    """Return a stack that holds the file with the process ID; UsageError if another agent does."""
    path = settings.pid_file
    stack = ExitStack()
    try:
        Records(host, settings.directories).make_directory(os.path.dirname(path))
        mine = stack.enter_context(host.lock(path))
    except OSError as error:
        raise UsageError(f"cannot make {path}: {error.strerror}", "agent") from None
    if not mine:
        raise UsageError(f"another agent is running ({path} is locked)", "agent")
    return stack
