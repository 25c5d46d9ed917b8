"""Lines and columns of the protocol, and character offsets.

A column counts units of an encoding that client and server agree on; lines end with ``\\n``, ``\\r\\n``
or ``\\r``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from bunraku.base.bounded_cache import remembered
from bunraku.base.lazy_typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from bunraku.lsp.protocol import Position, Range

Encoding = Literal["utf-8", "utf-16", "utf-32"]
ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-32", "utf-16")
"""The encodings, the cheapest for bunraku first; ``utf-16`` is that of clients which name none."""
LINE_END = re.compile(r"\r\n|\n|\r")


class Lines:
    """The lines of a text.

    >>> lines = Lines("a\\n\\U0001f600b")
    >>> lines.position(3, "utf-16"), lines.offset({"line": 1, "character": 2}, "utf-16")
    ({'line': 1, 'character': 2}, 3)
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.is_ascii = text.isascii()
        self.starts = [0] + [match.end() for match in LINE_END.finditer(text)]

    def position(self, offset: int, encoding: Encoding) -> Position:
        """Return the line and column of a character offset."""
        offset = min(max(offset, 0), len(self.text))
        found = position_in(self.starts, offset)
        if not self.is_ascii and encoding != "utf-32":
            start = offset - found["character"]
            found["character"] = width(self.text[start:offset], encoding)
        return found

    def range(self, start: int, end: int, encoding: Encoding) -> Range:
        """Return the range between two character offsets."""
        return {"start": self.position(start, encoding), "end": self.position(end, encoding)}

    def offset(self, position: Position, encoding: Encoding) -> int:
        """Return the character offset of a position; the nearest one if the text has no such place."""
        line, column = position["line"], position["character"]
        if line >= len(self.starts):
            return len(self.text)
        start, end = self.starts[line], self.line_end(line)
        if self.is_ascii or encoding == "utf-32":
            return min(start + column, end)
        at = start
        while at < end and column > 0:
            column -= width(self.text[at], encoding)
            at += 1
        return at if column >= 0 else at - 1

    def line_end(self, line: int) -> int:
        """Return the offset of the end of a line, before the characters that end it."""
        if line + 1 == len(self.starts):
            return len(self.text)
        end = self.starts[line + 1] - 1
        if end > self.starts[line] and self.text[end - 1 : end + 1] == "\r\n":
            end -= 1
        return end


def position_in(starts: Sequence[int], offset: int) -> Position:
    """Return the line and column in characters of an offset in a text whose lines begin at some offsets."""
    line = bisect_right(starts, offset) - 1
    return {"line": line, "character": offset - starts[line]}


def width(text: str, encoding: Encoding) -> int:
    """Return the length of a text in units of an encoding."""
    if text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(character > "\uffff" for character in text)


@remembered(64)
def lines_of(text: str) -> Lines:
    """Return the lines of a text; those of the last texts are remembered."""
    return Lines(text)


def with_text_between(text: str, start: int, end: int, new: str) -> str:
    """Return a text with another piece between two offsets."""
    return f"{text[:start]}{new}{text[max(end, start) :]}"
