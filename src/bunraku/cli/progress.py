"""A progress bar on a terminal; nothing where there is none."""

from __future__ import annotations

import sys
from types import TracebackType

from bunraku.cli.output import write_error

WIDTH = 30


class Progress:
    """Counts what is done and how much of it failed, on one line of standard error.

    >>> with Progress(2, shown=False) as progress:
    ...     progress.step(ok=True)
    """

    def __init__(self, total: int, *, shown: bool | None = None) -> None:
        self.total = total
        self.done = 0
        self.failed = 0
        self.shown = sys.stderr.isatty() if shown is None else shown

    def __enter__(self) -> Progress:
        self.show()
        return self

    def step(self, *, ok: bool) -> None:
        """One more is done."""
        self.done += 1
        self.failed += not ok
        self.show()

    def show(self) -> None:
        """Draw the bar over the old one."""
        if self.shown and self.total:
            write_error(f"\r\x1b[K{self.line()}")

    def line(self) -> str:
        """The bar.

        >>> progress = Progress(4, shown=False)
        >>> progress.step(ok=False)
        >>> progress.line()
        '[=======                       ] 1/4, 1 failed'
        """
        filled = "=" * (WIDTH * self.done // max(self.total, 1))
        failed = f", {self.failed} failed" if self.failed else ""
        return f"[{filled:<{WIDTH}}] {self.done}/{self.total}{failed}"

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.shown and self.total:
            write_error("\r\x1b[K")
