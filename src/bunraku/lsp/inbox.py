"""Messages that have been read and wait for their turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Condition

from bunraku.base.lazy_typing import Any
from bunraku.lsp.connection import Message

Arrival = Message | Exception | Callable[[], None]
"""A message, what was wrong with one, or something to do in the main thread."""
CHANGES = frozenset({"textDocument/didChange", "textDocument/didOpen", "textDocument/didClose"})


class Inbox:
    """The messages of a client in their order; one thread adds them, another takes them.

    ``cancelled`` are the ids of requests that the client does not need any more. ``changes`` counts
    the changes of documents that wait. ``on_arrival`` is called for each message, and ``on_cancel`` with
    the id of a request that is cancelled, by the thread that adds it.
    """

    def __init__(self, on_arrival: Callable[[], None]) -> None:
        self.condition = Condition()
        self.messages: deque[Arrival] = deque()
        self.cancelled: set[Any] = set()
        self.changes = 0
        self.is_closed = False
        self.on_arrival = on_arrival
        self.on_cancel: Callable[[Any], None] = lambda _request: None

    def add(self, message: Arrival) -> None:
        """Add a message, what was wrong with one, or something to do in the main thread."""
        with self.condition:
            if isinstance(message, dict):
                if message.get("method") == "$/cancelRequest":
                    self.cancelled.add(cancelled_id(message))
                    self.on_cancel(cancelled_id(message))
                    return
                self.changes += message.get("method") in CHANGES
            self.messages.append(message)
            self.condition.notify()
        self.on_arrival()

    def close(self) -> None:
        """Note that no more messages come."""
        with self.condition:
            self.is_closed = True
            self.condition.notify()
        self.on_arrival()

    @property
    def is_waiting(self) -> bool:
        """Whether a message waits."""
        return bool(self.messages) or self.is_closed

    def take(self, seconds: float | None = None) -> Arrival | None:
        """Return the next message; None if none comes in time, or no more come."""
        with self.condition:
            if not self.messages and not self.is_closed:
                self.condition.wait(seconds)
            if not self.messages:
                return None
            message = self.messages.popleft()
            if isinstance(message, dict):
                self.changes -= message.get("method") in CHANGES
            return message

    def is_cancelled(self, request: Any) -> bool:
        """Return whether the client does not need the answer to a request."""
        return request in self.cancelled

    def forget(self, request: Any) -> None:
        """Note that a request is answered."""
        self.cancelled.discard(request)


def cancelled_id(message: Message) -> Any:
    """Return the id that a message cancels; None for one without."""
    params = message.get("params")
    found = params.get("id") if isinstance(params, dict) else None
    return found if isinstance(found, int | str) else None
