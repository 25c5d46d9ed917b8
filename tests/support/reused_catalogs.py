"""Numbers of catalogs that a server reuses, and the reasons of the others."""

from __future__ import annotations

from collections import Counter

from bunraku.base.records import field, record
from bunraku.server.compiling.jobs import Result


@record()
class Counted:
    """What became of the second catalogs: numbers, and the nodes by reason."""

    reused: int = 0
    failed: int = 0
    missed: int = 0
    causes: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, list[str]] = field(default_factory=dict)

    def add(self, node: str, first: Result, second: Result) -> None:
        """Add a node."""
        if first.status != 200 or second.status != 200:
            self.failed += 1
        elif second.reused:
            self.reused += 1
        else:
            self.missed += 1
            self.causes[second.cause] += 1
            self.reasons.setdefault(second.why, []).append(node)

    @property
    def rate(self) -> float:
        """The share of reused catalogs, in percent."""
        return 100 * self.reused / max(1, self.reused + self.missed)
