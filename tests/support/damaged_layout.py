"""The same code in another layout: indents, blanks, empty lines and columns by chance."""

from __future__ import annotations

from random import Random

from bunraku.base.source import Source
from bunraku.workbench.format.format import parse
from bunraku.workbench.format.pieces import (
    CLOSERS,
    COMMENT,
    DEFINITION,
    OPENERS,
    CodeLine,
    piece_end,
)
from bunraku.workbench.format.reading import read_lines

WIDEST = 40
"""The widest indent."""
CYCLE = 11
"""The number of lines in succession whose columns differ: no group of rows looks aligned by chance."""


def with_damaged_layout(text: str, chance: Random) -> str:
    """Return a formatted manifest in another layout that the formatter must undo."""
    tokens, parsed = parse(Source(text))
    before = None
    parts: list[str] = []
    for number, line in enumerate(read_lines(text, tokens, parsed.program, 2)):
        empty = "\n" * empty_lines(before, line, chance)
        parts.append(empty + damaged_line(line, number, chance))
        before = line
    return "\n".join(parts) + "\n" * chance.randint(0, 3)


def empty_lines(before: CodeLine | None, line: CodeLine, chance: Random) -> int:
    """Return a number of empty lines that means the same as the one before a line."""
    if line.blanks:
        return line.blanks + chance.randint(0, 2)
    last = before.pieces[-1] if before else None
    is_behind_opener = last is None or (last.kind in OPENERS and last.role is not DEFINITION)
    return chance.randint(0, 2) if is_behind_opener or line.pieces[0].kind in CLOSERS else 0


def damaged_line(line: CodeLine, number: int, chance: Random) -> str:
    """Return a line with other blanks; comments of several lines stay where they are."""
    first = line.pieces[0]
    if first.kind is COMMENT and "\n" in first.text:
        found = " " * line.written
    else:  # odd and even in turn: content that is indented twice is meant
        found = " " * (2 * chance.randint(0, WIDEST // 2) + number % 2)
    column = line.written
    for piece in line.pieces:
        gap = piece.gap
        if gap and piece.kind is not COMMENT:
            gap = 2 + (number - column) % CYCLE + CYCLE * chance.randint(0, 2)
        found += " " * gap + piece.text
        column = piece_end(column, piece)
    if line.pieces[-1].kind is not COMMENT:
        found += " " * chance.randint(0, 2)
    return found + (f"\n{line.raw}".removesuffix("\n") if line.raw else "")
