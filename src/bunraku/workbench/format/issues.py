"""The issues of formatting."""

from __future__ import annotations

from bunraku.base.errors import Issue

FORMAT_CHANGES_CODE = Issue(
    "FORMAT_CHANGES_CODE",
    "Cannot format this file: {reason}. The file is left as it is; please report this fault of bunraku",
)
NOT_FORMATTED = Issue(
    "NOT_FORMATTED",
    "The changed lines of this file are not formatted",
    hint="'bunraku fmt --changed REVISION' formats them",
)
