"""The log of a run: messages of resources and of the run, for the console, files and the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bunraku.base.records import record
from bunraku.providers.run import LEVELS

RANKS = {level: rank for rank, level in enumerate(LEVELS)}
WORDS = {
    "debug": "Debug", "info": "Info", "notice": "Notice", "warning": "Warning",
    "err": "Error", "alert": "Alert", "emerg": "Emergency", "crit": "Critical",
}  # fmt: skip
"""Level → the word printed before a message."""


@record(frozen=True)
class Message:
    """A message of a run. ``source`` is the path of a resource or property, or ``Puppet``."""

    level: str
    text: str
    source: str
    time: float
    tags: tuple[str, ...] = ()
    file: str | None = None
    line: int | None = None


Destination = Callable[[Message], None]


class RunLog:
    """Sends messages of a level and above to all destinations.

    >>> lines = []
    >>> log = RunLog("notice", lambda: 0.0, [lambda message: lines.append(console_line(message))])
    >>> log("info", "hidden")
    >>> log("notice", "created", "/File[/a]/ensure")
    >>> lines
    ['Notice: /File[/a]/ensure: created']
    """

    def __init__(
        self, level: str, now: Callable[[], float], destinations: Sequence[Destination]
    ) -> None:
        self.least = RANKS[level]
        self.now = now
        self.destinations = list(destinations)

    def __call__(
        self,
        level: str,
        message: str,
        source: str = "Puppet",
        *,
        tags: Sequence[str] = (),
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        """Log a message; its level becomes one of its tags."""
        if RANKS[level] < self.least:
            return
        all_tags = tuple(dict.fromkeys((level, *tags)))
        entry = Message(level, message, source, self.now(), all_tags, file, line)
        for destination in self.destinations:
            destination(entry)


def console_line(message: Message) -> str:
    """Format a message as Puppet prints it."""
    origin = "" if message.source == "Puppet" else f"{message.source}: "
    return f"{WORDS[message.level]}: {origin}{message.text}"
