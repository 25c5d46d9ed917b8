"""The line on a terminal that shows which resource is being applied."""

from __future__ import annotations

import os
from collections.abc import Callable
from time import monotonic

from bunraku.base.excerpt import visible
from bunraku.cli.output.output import write_error
from bunraku.cli.output.progress import Progress

PAUSE = 0.1
"""Seconds between two drawings of files, of which there may be thousands; others may take long."""
COLUMNS = 80
"""The width of a terminal that does not report its own."""


class LiveLine(Progress):
    """Shows count and reference of the current resource on standard error, on a terminal only.

    The line is removed before other output and at the end. It never contains values of attributes.
    """

    def __init__(
        self, *, shown: bool | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        super().__init__(0, shown=shown, clock=clock)
        self.shown = self.shown and os.environ.get("TERM") != "dumb"
        self.plain = False
        self.reference = ""
        self.drawn = -PAUSE
        """When the line was drawn last."""
        self.visible = False

    def watch(self, number: int, total: int, reference: str) -> None:
        """Take the current resource, and show it; files only if no line was drawn just before."""
        self.done, self.total, self.reference = number, total, reference
        now = self.clock()
        waits = reference.startswith("File[") and now - self.drawn < PAUSE
        if self.shown and not waits:
            self.drawn, self.visible = now, True
            self.show()

    def line(self) -> str:
        """Return the bar, not wider than the terminal."""
        try:
            width = os.get_terminal_size(2).columns
        except OSError:
            width = COLUMNS
        return super().line()[: (width or COLUMNS) - 1]

    def text(self) -> str:
        """Return count and reference.

        >>> live = LiveLine(shown=False)
        >>> live.watch(2, 5, "File[/etc/motd]")
        >>> live.text()
        '2/5 File[/etc/motd]'
        """
        return f"{self.done}/{self.total} {visible(self.reference)}"

    def clear(self) -> None:
        """Remove the line if it is shown."""
        if self.visible:
            self.visible = False
            write_error("\r\x1b[K")
