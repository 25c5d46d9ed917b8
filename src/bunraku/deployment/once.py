"""Questions that a run asks once, also if several threads need the answer."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from bunraku.base.errors import Diagnostic, PuppetError

T = TypeVar("T")


class Once(Generic[T]):
    """Answers by key. A question that failed is not asked again either; its error is raised again."""

    def __init__(self) -> None:
        self.guard = Lock()
        self.locks: dict[str, Lock] = {}
        self.answers: dict[str, T] = {}
        self.failures: dict[str, Diagnostic] = {}

    def get(self, key: str, find: Callable[[], T]) -> T:
        """Return the answer for a key; ``find`` is called for the first one who asks."""
        with self.guard:
            lock = self.locks.setdefault(key, Lock())
        with lock:
            if key in self.failures:
                raise PuppetError(self.failures[key])
            if key not in self.answers:
                try:
                    self.answers[key] = find()
                except PuppetError as error:
                    self.failures[key] = error.diagnostic
                    raise
            return self.answers[key]
