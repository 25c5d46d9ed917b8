"""Edits of a text: ``migrate`` and ``lint`` correct files with them."""

from __future__ import annotations

from collections.abc import Iterable

from bunraku.base.records import record


@record(frozen=True)
class Edit:
    """Text to put in place of a piece of a source."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with edits that do not overlap; insertions at one place keep their order.

    >>> edited("a b", [Edit(2, 3, "c"), Edit(0, 1, "x"), Edit(3, 3, "1"), Edit(3, 3, "2")])
    'x c12'
    """
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        pieces += text[at : edit.start], edit.text
        at = max(at, edit.end)
    return "".join([*pieces, text[at:]])
