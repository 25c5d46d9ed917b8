"""Calls of translated functions that do more than compute.

A call may need Ruby halfway through; then Ruby runs it again from the start. The effects of the
call are then undone (values it stored in the context of a backend) or recorded in the journal of
the compile, so Ruby gets the same answers and nothing is done twice.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bunraku.hiera.context import LocalCache
from bunraku.ruby.run.scope import Attempt, journal_of
from bunraku.runtime.state import Compilation
from bunraku.values.keys import as_key

Value = Any
Effects = list[tuple[Any, bool, Value]]
RUNNING = threading.local()


class TranslatedCall:
    """One call of a translated function."""

    __slots__ = ("attempt", "compilation", "kept")

    def __init__(self, compilation: Compilation, attempt: Attempt) -> None:
        self.compilation = compilation
        self.attempt = attempt
        self.kept: list[tuple[LocalCache, Any, bool, Value]] = []

    def keep(self, cache: LocalCache, key: Value, value: Value) -> None:
        """Keep a value in the cache of a backend."""
        name = as_key(key)
        self.kept.append((cache, name, name in cache.values, cache.values.get(name)))
        cache.values[name] = value

    def undo(self) -> None:
        """Give the caches of backends the values back that they had before the call."""
        for cache, name, known, value in reversed(self.kept):
            if known:
                cache.values[name] = value
            else:
                del cache.values[name]

    def effect(self, key: Any, action: Callable[[], Value]) -> Value:
        """Do something that must be done once."""
        return self.attempt.journal.effect(key, action)


def current_call() -> TranslatedCall:
    """Return the current call."""
    found: TranslatedCall = RUNNING.call
    return found


@contextmanager
def replayed(compilation: Compilation, effects: Sequence[Any]) -> Iterator[None]:
    """While Ruby runs a function again: it gets the answers that there were."""
    replay = journal_of(compilation).replay
    rest = len(replay)
    replay.extendleft(reversed(effects))
    try:
        yield
    finally:
        while len(replay) > rest:
            replay.popleft()
