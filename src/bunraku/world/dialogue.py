"""A program that answers requests: lines on its standard input and output, as long as it is needed.

What the program starts may continue after it, as a daemon that a provider starts. The program itself
sees the end of its input when bunraku ends, even by SIGKILL.
"""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic

from bunraku.world.host import CommandTimeout

CHUNK = 1 << 16
PATIENCE = 10.0
"""Seconds in which a program ends after its input was closed."""


class ProgramDialogue:
    """A running program; raises OSError if it cannot be started.

    With ``merged``, the program's messages are among the lines of its output.
    """

    def __init__(
        self, words: Sequence[str], environment: Mapping[str, str], *, merged: bool = False
    ) -> None:
        self.process = subprocess.Popen(
            list(words),
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merged else None,
            bufsize=0,
            start_new_session=True,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.input, self.output = self.process.stdin, self.process.stdout
        self.buffer = b""

    def send(self, line: bytes) -> None:
        """Send a line, without its end; do nothing if the program has ended."""
        rest = memoryview(line + b"\n")
        with suppress(BrokenPipeError):
            while rest:
                rest = rest[self.input.write(rest) :]

    def receive(self, timeout: float) -> bytes | None:
        """Return the next line; None if the program has ended; CommandTimeout after some seconds."""
        deadline = monotonic() + timeout
        parts = [self.buffer]
        while b"\n" not in parts[-1]:
            rest = deadline - monotonic()
            if rest <= 0 or not select.select([self.output], [], [], rest)[0]:
                self.buffer = b"".join(parts)
                raise CommandTimeout
            part = os.read(self.output.fileno(), CHUNK)
            if not part:
                return None
            parts.append(part)
        line, _, self.buffer = b"".join(parts).partition(b"\n")
        return line

    def end(self) -> int:
        """Close the input of the program, wait for its end and return its exit code.

        A program that does not end is killed; a negative code is the number of a signal.
        """
        self.input.close()
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return self.kill()
        finally:
            self.output.close()

    def kill(self) -> int:
        """Kill the program and return its exit code."""
        self.process.kill()
        code = self.process.wait()
        self.input.close()
        self.output.close()
        return code
