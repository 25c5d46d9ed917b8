"""What a job reports while it runs: its results come at the end."""

from __future__ import annotations

from bunraku.base.lazy_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bunraku.engine.nodes import Outcome
    from bunraku.runtime.log import LogEntry


class Observer:
    """Ignores everything; front ends override what they present.

    A job calls the methods in its own process and thread.

    >>> class Count(Observer):
    ...     nodes = 0
    ...
    ...     def done(self, outcome):
    ...         self.nodes += 1
    """

    def begin(self, total: int, *, lines: bool = True) -> None:
        """Begin ``total`` compiles; ``lines`` asks for lines of progress without a terminal."""

    def step(self, *, ok: bool) -> None:
        """Count one of the total; ``ok`` is whether it succeeded."""

    def done(self, outcome: Outcome) -> None:
        """Take the outcome of a node, and count it."""
        self.step(ok=outcome.ok and outcome.unsaved is None)

    def held(self, outcome: Outcome) -> None:
        """Take the outcome of a node that waits for the exported resources of others."""

    def end(self) -> None:
        """End what :meth:`begin` began, also after an error."""

    def log(self, entry: LogEntry) -> None:
        """Take a log message of a compile."""

    def note(self, text: str) -> None:
        """Take a sentence about the run, such as a file that one revision lacks."""

    def ignored(self, what: str, reason: str, hint: str) -> None:
        """Note that a file, or a value in it, is not used because other users can have written it."""


SILENT = Observer()
"""Reports nothing."""
