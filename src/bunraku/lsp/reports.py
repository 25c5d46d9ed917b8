"""Reports of programs in JSON, read in steps: a large one must not keep the server from answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice

from bunraku.base.lazy_typing import Any
from bunraku.lsp.background import Step

ITEMS_IN_A_STEP = 200
BLANKS = frozenset(" \t\r\n")


class ReportReading:
    """The reading of an array in a report, or of the one under a name; ``take`` gets each of its items.

    A report is damaged if it is not JSON, or has no such array.
    """

    def __init__(self, text: str, take: Callable[[Any], None], name: str | None = None) -> None:
        self.items = items_in(text, name)
        self.take = take
        self.has_more = True
        self.is_damaged = False

    def steps(self) -> Iterator[Step]:
        """Yield steps that read some items each."""
        while self.has_more:
            yield self.read_some

    def read_some(self) -> None:
        """Read the next items."""
        try:
            some = list(islice(self.items, ITEMS_IN_A_STEP))
        except ValueError:
            self.is_damaged, some = True, []
        self.has_more = len(some) == ITEMS_IN_A_STEP
        for one in some:
            self.take(one)


def items_in(text: str, name: str | None = None) -> Iterator[Any]:
    """Yield the items of an array, or of the one under a name, each decoded when it is asked for. Raises ValueError.

    >>> list(items_in('{"schema": 1, "rows": [{"a": 1}, 2]}', "rows"))
    [{'a': 1}, 2]
    """
    decoder = json.JSONDecoder()
    at = 0 if name is None else text.index(f'"{name}":') + len(name) + 3
    at = behind(text, behind_blanks(text, at), "[")
    while not text.startswith("]", at):
        item, at = decoder.raw_decode(text, at)
        yield item
        at = behind_blanks(text, at)
        if not text.startswith("]", at):
            at = behind(text, at, ",")


def behind(text: str, at: int, mark: str) -> int:
    """Return the offset of what follows a character, which must be at an offset. Raises ValueError."""
    if not text.startswith(mark, at):
        raise ValueError(f"expected {mark} at {at}")
    return behind_blanks(text, at + 1)


def behind_blanks(text: str, at: int) -> int:
    """Return the offset of the next character that is not blank."""
    while at < len(text) and text[at] in BLANKS:
        at += 1
    return at
