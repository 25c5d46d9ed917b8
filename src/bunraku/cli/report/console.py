"""Print the messages of a compile and a run on standard output and standard error."""

from __future__ import annotations

from bunraku.apply.log import Message, console_line
from bunraku.base.excerpt import visible
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.standard_streams import ReaderGone, StreamError
from bunraku.cli.output.live_line import LiveLine
from bunraku.cli.output.output import Paint, write, write_error
from bunraku.cli.report.log import LEVELS, RANKS, entry_text
from bunraku.runtime.log import LogEntry

CONTROLS = lazy_pattern("[\x00-\x08\x0b-\x1f\x7f]")
"""The control characters that would change a terminal; they come from file names and commands."""


def harmless(text: str) -> str:
    r"""Return a message with its control characters as symbols, except for line ends and tabs.

    >>> harmless("a\tb\n\x1b[2J")
    'a\tb\n␛[2J'
    """
    return CONTROLS.sub(lambda found: visible(found[0]), text)


class Console:
    """Prints messages of a level and above as Puppet does; if output fails, the run continues.

    ``failure`` is the reason why standard output cannot be written. With ``errors_only``, the command
    uses standard output for its own result.
    """

    def __init__(self, level: str, paint: Paint, *, errors_only: bool = False) -> None:
        self.errors_only = errors_only
        self.least = RANKS[level]
        self.paint = paint
        self.live: LiveLine | None = None
        """The line that shows the progress of the run."""
        self.failure: StreamError | ReaderGone | None = None

    def __call__(self, message: Message) -> None:
        """Print a message of the run."""
        self.line(message.level, harmless(console_line(message)))

    def entry(self, entry: LogEntry) -> None:
        """Print a message of the compile."""
        if RANKS[entry.level] >= self.least:
            self.line(entry.level, f"{LEVELS[entry.level][0]}: {entry_text(entry)}")

    def line(self, level: str, line: str) -> None:
        """Print a line: warnings and errors on standard error, all else on standard output."""
        style = LEVELS[level][1]
        text = (self.paint(style, line) if style else line) + "\n"
        if self.live is not None:
            self.live.clear()
        if self.errors_only or RANKS[level] >= RANKS["warning"]:
            write_error(text)
        elif self.failure is None:
            try:
                write(text)
            except (StreamError, ReaderGone) as error:
                self.failure = error

    def finish(self) -> None:
        """Raise the error that prevented writing to standard output."""
        if self.failure is not None:
            raise self.failure
