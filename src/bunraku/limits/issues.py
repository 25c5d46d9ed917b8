"""The limits of time and memory that code can reach."""

from __future__ import annotations

from bunraku.base.errors import Issue

TIMEOUT = Issue.own(
    "TIMEOUT",
    "The time limit of {limit} was reached",
    hint="look for a loop, a recursion or data that grows without end; --timeout sets the limit",
)
OUT_OF_MEMORY = Issue.own(
    "OUT_OF_MEMORY",
    "Out of memory: the limit is {limit}",
    hint="look for a value that grows without end; --memory sets the limit",
)
