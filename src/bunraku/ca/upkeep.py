"""The thread that keeps the revocation lists of a running server from expiring."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

from bunraku.ca.authority import Authority

INTERVAL = 24 * 3600.0
"""Seconds between two checks, as in puppetserver 8."""


class Upkeep:
    """Re-signs revocation lists before they expire, until the end of the block."""

    def __init__(
        self, authority: Authority, log: Callable[[str], None], interval: float = INTERVAL
    ) -> None:
        self.authority = authority
        self.log = log
        self.interval = interval
        self.stopping = Event()
        self.thread = Thread(target=self.repeat, name="revocation lists", daemon=True)

    def __enter__(self) -> Upkeep:
        """Begin to check; the start of a server has checked the lists already."""
        self.thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.stopping.set()
        self.thread.join()

    def repeat(self) -> None:
        """Check the lists until the stop; a failure is logged, and the next check follows."""
        while not self.stopping.wait(self.interval):
            try:
                if self.authority.refresh():
                    self.log("notice: a revocation list was re-signed")
            except Exception as error:
                self.log(f"err: cannot re-sign the revocation lists: {error}")
