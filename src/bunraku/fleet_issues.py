"""What can go wrong with the processes that compile many nodes."""

from __future__ import annotations

from bunraku.errors import Issue

WORKER_ENDED = Issue(
    "WORKER_ENDED",
    "The process that compiled {node} ended before it was done",
    hint="it may have run out of memory, or was killed",
)
WORKER_FAILED = Issue("WORKER_FAILED", "internal error: {reason}", hint="please report it")
GIT_FAILED = Issue("GIT_FAILED", "git {command}: {reason}")
