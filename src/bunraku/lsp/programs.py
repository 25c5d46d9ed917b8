"""Programs that work for the server: a thread waits for each, and the main thread takes its outcome."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import Thread

from bunraku.base.lazy_typing import TYPE_CHECKING, Any
from bunraku.base.records import record
from bunraku.lsp.inbox import Inbox

if TYPE_CHECKING:
    from bunraku.world.processes import Program

NICENESS = 10
"""That of programs that work in the background."""
FAILED_TO_START = 127
BUNRAKU = (sys.executable, "-m", "bunraku")


@record(frozen=True)
class ProgramOutcome:
    """What a program has written, and its exit code."""

    code: int
    output: str
    errors: str


@record(frozen=True)
class LaterAnswer:
    """The answer to a request that a program finds: ``answer`` makes it of the outcome, or raises what a feature raises.

    ``content`` is the standard input of the program.
    """

    command: Sequence[str]
    directory: str
    answer: Callable[[ProgramOutcome], Any]
    content: bytes = b""


class Programs:
    """The programs that run, by a name; another one of the same name ends the earlier one."""

    def __init__(self, inbox: Inbox) -> None:
        self.inbox = inbox
        self.running: dict[str, Program] = {}

    def start(
        self,
        name: str,
        command: Sequence[str],
        directory: str,
        then: Callable[[ProgramOutcome], None],
        *,
        content: bytes = b"",
        is_urgent: bool = False,
    ) -> None:
        """Start a program; ``then`` gets its outcome in the main thread, unless it is ended before."""
        from subprocess import PIPE

        from bunraku.world.processes import start

        self.end(name)
        try:
            program = start([*command], directory=directory, stdin=PIPE, stderr=PIPE)
        except OSError as error:
            then(
                ProgramOutcome(FAILED_TO_START, "", f"cannot start {command[0]}: {error.strerror}")
            )
            return
        self.running[name] = program
        if not is_urgent and hasattr(os, "setpriority"):  # not on Windows
            with suppress(OSError):  # it has ended
                os.setpriority(os.PRIO_PROCESS, program.pid, NICENESS)
        Thread(target=self.wait_for, args=(name, program, content, then), daemon=True).start()

    def wait_for(
        self, name: str, program: Program, content: bytes, then: Callable[[ProgramOutcome], None]
    ) -> None:
        """Wait for the end of a program, and hand its outcome to the main thread."""
        from bunraku.world.processes import exchange

        try:
            output, errors = exchange(program, content)
            outcome = ProgramOutcome(program.wait(), as_text(output), as_text(errors))
        except (OSError, ValueError):  # the server ends, and the pipes are closed
            outcome = ProgramOutcome(FAILED_TO_START, "", "the program was ended")
        self.inbox.add(partial(self.take, name, program, then, outcome))

    def take(
        self,
        name: str,
        program: Program,
        then: Callable[[ProgramOutcome], None],
        outcome: ProgramOutcome,
    ) -> None:
        """Take an outcome, unless the program was ended."""
        program.end()
        if self.running.get(name) is program:
            del self.running[name]
            then(outcome)

    def kill(self, name: str) -> None:
        """Kill a program, whose outcome comes then; any thread may do so."""
        program = self.running.get(name)
        if program is not None:
            kill_program(program)

    def end(self, name: str) -> None:
        """End a program, whose outcome is not taken."""
        program = self.running.pop(name, None)
        if program is not None:
            kill_program(program)

    def end_all(self) -> None:
        """End all programs."""
        for program in self.running.values():
            program.end()


def kill_program(program: Program) -> None:
    """Kill a program with all that it started; the thread that waits for it goes on."""
    from bunraku.world.processes import kill_group

    if program.watcher is None:
        program.process.kill()
    else:
        kill_group(program.group)


def as_text(content: bytes) -> str:
    """Return what a program has written as text that can be sent."""
    return content.decode("utf-8", "replace")
