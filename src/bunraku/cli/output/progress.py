"""The progress of many nodes: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from types import TracebackType

from bunraku.cli.output.output import write_error

WIDTH = 30
INTERVAL = 10.0
"""Seconds between two plain lines."""


class Progress:
    """Counts nodes that are done, and those that failed, on standard error.

    On a terminal a bar is drawn over the last one. Elsewhere (in a CI job, say) a line is written
    every INTERVAL seconds of ``clock``, so a short run prints nothing; without ``lines``, none.

    >>> with Progress(2, shown=False) as progress:
    ...     progress.step(ok=True)
    """

    def __init__(
        self,
        total: int,
        *,
        shown: bool | None = None,
        lines: bool = True,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.total = total
        self.done = 0
        self.failed = 0
        self.held = 0
        self.shown = sys.stderr.isatty() if shown is None else shown
        self.plain = lines and shown is None and not self.shown
        self.clock = clock
        self.last = clock()

    def __enter__(self) -> Progress:
        self.show()
        return self

    def step(self, *, ok: bool) -> None:
        """Count a node that is done."""
        self.done = min(self.done + 1, self.total)
        self.failed += not ok
        self.show()

    def hold(self) -> None:
        """Count a node that waits for the exported resources of others."""
        self.held += 1
        self.show()

    def show(self) -> None:
        """Draw the bar over the old one, or write a line when it is time."""
        if self.shown and self.total:
            write_error(f"\r\x1b[K{self.line()}")
        elif self.plain and self.done and self.clock() - self.last >= INTERVAL:
            self.last = self.clock()
            write_error(f"{self.text()}\n")

    def line(self) -> str:
        """Return the bar.

        >>> progress = Progress(4, shown=False)
        >>> progress.step(ok=False)
        >>> progress.line()
        '[=======                       ] 1/4, 1 failed'
        """
        filled = "=" * (WIDTH * self.done // max(self.total, 1))
        return f"[{filled:<{WIDTH}}] {self.text()}"

    def text(self) -> str:
        """Return the counts."""
        failed = f", {self.failed} failed" if self.failed else ""
        waiting = min(self.held, self.total - self.done)
        held = f", {waiting} waiting for exported resources" if waiting else ""
        return f"{self.done}/{self.total}{failed}{held}"

    def clear(self) -> None:
        """Remove the bar, before something else is printed."""
        if self.shown and self.total:
            write_error("\r\x1b[K")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.clear()
