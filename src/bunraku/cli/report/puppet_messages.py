"""Messages in the form and colours of Puppet's console (Puppet 7.23, ``puppet catalog compile``)."""

from __future__ import annotations

from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.log import LEVELS, RANKS, entry_text
from bunraku.runtime.log import LogEntry

COLOURS = {
    "debug": "0;36",
    "info": "0;32",
    "notice": "",
    "warning": "1;33",
    "alert": "0;31",
}
"""Level → code of its colour; all other levels are bright red."""
BRIGHT_RED = "1;31"


class Messages:
    """Prints messages as Puppet does: those above notice on standard error, others on standard output."""

    def __init__(self, least: str, *, coloured: bool) -> None:
        self.least = RANKS[least]
        self.coloured = coloured

    def __call__(self, entry: LogEntry) -> None:
        """Print an entry of the log of a compile."""
        self.say(entry.level, entry_text(entry))

    def say(self, level: str, text: str) -> None:
        """Print a message, if its level is printed."""
        if RANKS[level] < self.least:
            return
        line = f"{LEVELS[level][0]}: {text}"
        if self.coloured:
            line = f"\x1b[{COLOURS.get(level, BRIGHT_RED)}m{line}\x1b[0m"
        printed = write if RANKS[level] <= RANKS["notice"] else write_error
        printed(line + "\n")

    def error(self, text: str) -> None:
        """Print an error."""
        self.say("err", text)
