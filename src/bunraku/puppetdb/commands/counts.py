"""Counts of commands for status and metrics: in all, and for each command and version."""

from __future__ import annotations

from threading import Lock

from bunraku.base.records import record, replace

ALL = "global"


@record()
class Count:
    """What happened to commands; times are sums in seconds.

    ``fatal`` commands are discarded at once, ``obsolete`` ones are dropped for a newer one.
    ``size`` is the sum of the bytes of accepted payloads as they arrived.
    """

    received: int = 0
    size: int = 0
    processed: int = 0
    retried: int = 0
    fatal: int = 0
    discarded: int = 0
    obsolete: int = 0
    queue_seconds: float = 0.0
    processing_seconds: float = 0.0


class Counts:
    """The counts of a process, by the name of what they are about: ``replace facts 5``."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.counts: dict[str, Count] = {ALL: Count()}

    def add(self, command: str, version: int, **amounts: float) -> None:
        """Add to the counts of a command and to those of all commands."""
        with self.lock:
            for name in (ALL, f"{command} {version}"):
                count = self.counts.setdefault(name, Count())
                for key, amount in amounts.items():
                    setattr(count, key, getattr(count, key) + amount)

    def snapshot(self) -> dict[str, Count]:
        """Return copies of the counts by name."""
        with self.lock:
            return {name: replace(count) for name, count in self.counts.items()}
