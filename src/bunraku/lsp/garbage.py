"""Garbage is collected when the client rests: a look at all objects takes longer than an answer may.

Objects that survive are frozen: later looks pass over them. So is the index when it is complete, whose objects are as
many as a workspace is large. Trees and records of the index have no cycles, so reference counts free them all the same.
"""

from __future__ import annotations

import gc
from functools import partial

from bunraku.lsp.background import Background

NEVER = 1_000_000
THRESHOLDS = (500_000, NEVER, NEVER)
"""New objects until a look at these, which is seldom, and looks until one at older objects."""
REST, LONG_REST = 0.5, 60.0
"""Seconds without a message until new objects, and until all objects are looked at."""


class RareCollections:
    """Let Python look at new objects only, inside of a ``with``."""

    def __enter__(self) -> None:
        self.before = gc.get_threshold()
        gc.set_threshold(*THRESHOLDS)

    def __exit__(self, *_error: object) -> None:
        gc.set_threshold(*self.before)
        gc.unfreeze()


def collect_later(background: Background) -> None:
    """Collect garbage when no message has come for a while."""
    for name, delay, is_full in (("garbage", REST, False), ("all garbage", LONG_REST, True)):
        steps = iter([partial(collect_garbage, is_full=is_full)])
        background.add(name, steps, delay, is_interruptible=False, priority=-2)


def collect_garbage(*, is_full: bool) -> None:
    """Collect the garbage among new objects or among all, and freeze what is left."""
    if is_full:
        gc.unfreeze()
    gc.collect()
    gc.freeze()
