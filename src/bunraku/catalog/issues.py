"""Errors of reading and writing catalogs."""

from __future__ import annotations

from bunraku.base.errors import Issue

VALUE_TOO_DEEP = Issue.own(
    "VALUE_TOO_DEEP",
    "A value nests too deep to be written",
    hint="look for a loop that wraps its previous result in another array or hash",
)
UNREADABLE_CATALOG = Issue("UNREADABLE_CATALOG", "Cannot read the catalog: {reason}")
INVALID_CATALOG = Issue("INVALID_CATALOG", "Invalid catalog: {reason}")
INVALID_RICH_DATA = Issue("INVALID_RICH_DATA", "Invalid {type} in a catalog: {reason}")
BAD_IGNORE = Issue(
    "BAD_IGNORE",
    "Invalid pattern of changes to ignore: {text}",
    hint="write Type[title] or Type[title]::parameters::NAME, where '*' stands for any text",
)
