"""Log messages of a compile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.runtime.python_frames import current_span


@record()
class LogEntry:
    """A message of a compile; ``scope`` is set for messages that Puppet code logged."""

    level: str
    message: str
    scope: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    code: str | None = None


class Titled(Protocol):
    """The part of a scope that the log uses."""

    def title_text(self) -> str:
        """Return the name of the scope in log messages."""


class Messages:
    """The messages of a compile.

    ``write`` receives each entry; ``sources`` are the sources of compiled code by file name, and
    ``strict`` is the setting of this name.
    """

    def __init__(
        self, write: Callable[[LogEntry], None], sources: Mapping[str, Source], strict: str
    ) -> None:
        self.write = write
        self.sources = sources
        self.strict = strict

    def log(self, level: str, message: str, scope: Titled | None = None) -> None:
        """Log a message; with a scope, it is a message that Puppet code logged."""
        self.write(LogEntry(level, message, scope.title_text() if scope is not None else None))

    def warn(self, code: str, message: str, level: str = "warning") -> None:
        """Log a warning about the code that runs now."""
        span = current_span(self.sources)
        entry = LogEntry(level, message, code=code)
        if span is not None:
            entry.line, entry.column = span.position
            entry.file = span.source.path or None
        self.write(entry)

    def warn_at(self, code: str, message: str, file: str | None, line: int | None) -> None:
        """Log a warning about a known place."""
        self.write(LogEntry("warning", message, None, file or None, line, code=code))

    def current_place(self) -> tuple[str, int]:
        """File and line of the code that runs now."""
        span = current_span(self.sources)
        return ("", 0) if span is None else (span.source.path, span.line)

    def strict_finding(self, error: PuppetError) -> None:
        """Raise, warn or ignore, as the setting ``strict`` requires."""
        if self.strict == "error":
            raise error
        if self.strict == "warning":
            self.warn(error.code, error.message)
