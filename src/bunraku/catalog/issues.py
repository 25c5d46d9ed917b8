"""What can go wrong when a catalog is written."""

from __future__ import annotations

from bunraku.errors import Issue

VALUE_TOO_DEEP = Issue(
    "VALUE_TOO_DEEP",
    "A value nests too deep to be written",
    hint="look for a loop that wraps what it made before into one more array or hash",
)
