"""When a query ends early: its client cancelled it, or the text that it is about has changed."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.base.lazy_typing import Literal
from bunraku.base.records import record

Reason = Literal["cancelled", "changed"]


class Cancelled(Exception):
    """Raised inside a query whose answer is not needed any more."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def never() -> Reason | None:
    """Return None: nothing ends the query."""
    return None


@record(frozen=True)
class Guard:
    """Says whether a query is still wanted; long loops of a query call :meth:`check` in each round."""

    reason: Callable[[], Reason | None] = never

    def check(self) -> None:
        """Raise Cancelled if the answer is not needed any more."""
        reason = self.reason()
        if reason is not None:
            raise Cancelled(reason)


ALWAYS_WANTED = Guard()
"""The guard of a query that nothing cancels."""
