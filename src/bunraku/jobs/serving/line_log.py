"""Logs of servers: lines for a descriptor whose disk may be full for a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Lock

from bunraku.base.descriptors import write_to
from bunraku.base.encoding import encode


class LineLog:
    """A log whose lines are written at once; ``descriptor`` returns where, None for nowhere.

    A line that cannot be written is left out, so the work that it reports goes on. The next one
    that can be written follows a line with the number of those that are missing, and the reason.
    """

    def __init__(self, descriptor: Callable[[], int | None]) -> None:
        self.descriptor = descriptor
        self.lock = Lock()
        self.missing = 0
        self.reason = ""
        self.torn = False

    def write(self, text: str) -> None:
        """Write lines, each with its end."""
        descriptor = self.descriptor()
        if descriptor is None:
            with suppress(OSError, ValueError):
                write_to(sys.stderr, encode(text))  # a stream in memory
            return
        with self.lock:
            self.write_to(descriptor, f"{self.gap()}{text}")

    def gap(self) -> str:
        """Return what comes before the next line."""
        end = "\n" if self.torn else ""
        return f"{end}{self.missing} lines are missing: {self.reason}\n" if self.missing else end

    def write_to(self, descriptor: int, text: str) -> None:
        """Write lines, or count one more that is missing."""
        content = memoryview(encode(text))
        try:
            while content:
                content = content[os.write(descriptor, content) :]
                self.torn = True
        except OSError as error:
            self.missing += 1
            self.reason = error.strerror or str(error)
        else:
            self.missing, self.torn = 0, False


def standard_error() -> int | None:
    """Return the descriptor of standard error; None for a stream in memory."""
    try:
        return sys.stderr.fileno()
    except (OSError, ValueError, AttributeError):
        return None
