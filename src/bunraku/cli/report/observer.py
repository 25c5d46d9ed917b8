"""What a job reports while it runs, on standard error: log messages, progress, notes."""

from __future__ import annotations

from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.cli.output.output import write_error
from bunraku.cli.output.progress import Progress
from bunraku.cli.report.log import Printer
from bunraku.jobs.observer import Observer

if TYPE_CHECKING:
    from bunraku.engine.nodes import Outcome
    from bunraku.runtime.log import LogEntry


class TerminalObserver(Observer):
    """Prints log messages, notes, and the progress of many nodes."""

    def __init__(self, printer: Printer) -> None:
        self.printer = printer
        self.progress = Progress(0)

    def begin(self, total: int, *, lines: bool = True) -> None:
        """Show the progress of many nodes."""
        self.progress = Progress(total, lines=lines)
        self.progress.show()

    def step(self, *, ok: bool) -> None:
        """Count a node that is done."""
        self.progress.step(ok=ok)

    def held(self, outcome: Outcome) -> None:
        """Count a node that waits for the exported resources of others."""
        self.progress.hold()

    def end(self) -> None:
        """Remove the progress."""
        self.progress.clear()

    def log(self, entry: LogEntry) -> None:
        """Print a log message, if it is urgent enough."""
        self.printer(entry)

    def note(self, text: str) -> None:
        """Print a note."""
        write_error(f"note: {text}\n")

    def ignored(self, what: str, reason: str, hint: str) -> None:
        """Print what is ignored, and how to allow it."""
        write_error(f"warning: ignoring {what}: {reason}\n    hint: {hint}\n")
