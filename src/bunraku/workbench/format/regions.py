"""The lines that stay as they are: between ``# fmt: off`` and ``# fmt: on``, and outside of chosen lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bunraku.base.source import Source
from bunraku.workbench.format.pieces import (
    BLOCK,
    CASES,
    CLOSERS,
    COMMENT,
    DEFINITION,
    LAMBDA,
    OPENERS,
    TOP,
    Bracket,
    CodeLine,
    Piece,
)

OFF, ON, SKIP = "# fmt: off", "# fmt: on", "# fmt: skip"
MARK = "# fmt:"
BLOCKS = frozenset({BLOCK, CASES, DEFINITION, LAMBDA, TOP})
"""The roles of brackets whose content has parts that are formatted on their own."""


def keep_marked(lines: list[CodeLine], text: str) -> None:
    """Keep the lines that comments exclude."""
    if MARK not in text:
        return
    is_off = False
    places = line_numbers(lines)
    for number, line in enumerate(lines):
        comment = line.pieces[-1].text.rstrip() if line.has_comment else ""
        is_alone = line.pieces[0].kind is COMMENT
        is_off = is_off or (comment == OFF and is_alone)
        if is_off:
            line.kept = True
            is_off = not (comment == ON and is_alone)
        elif comment == SKIP or comment.endswith(f" {SKIP}"):
            first = number + 1 if is_alone else number
            last = end_of_block(lines, min(first, len(lines) - 1), places)
            for one in lines[number : last + 1]:
                one.kept = True


def end_of_block(lines: list[CodeLine], first: int, places: dict[int, int]) -> int:
    """Return the number of the line on which the brackets are closed that a line opens."""
    last = first
    for piece in lines[first].pieces:
        closer = piece.bracket.closer
        if piece is piece.bracket.opener and closer is not None:
            last = max(last, places[id(closer)])
    return last


def line_numbers(lines: list[CodeLine]) -> dict[int, int]:
    """Return the number of the line of each bracket, by identity."""
    return {
        id(piece): number
        for number, line in enumerate(lines)
        for piece in line.pieces
        if piece.kind in OPENERS or piece.kind in CLOSERS or piece.kind == "|"
    }


def keep_others(lines: list[CodeLine], source: Source, chosen: Sequence[range]) -> None:
    """Keep all lines but the parts of the code around chosen lines of the source."""
    starts = [source.line(line.start) for line in lines]
    ends = [*starts[1:], len(source.line_starts) + 1][: len(starts)]
    places = line_numbers(lines)
    formatted: set[int] = set()
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if number not in formatted and any(one.start < end and start < one.stop for one in chosen):
            formatted.update(part_around(lines, number, places))
    for number, line in enumerate(lines):
        line.kept = line.kept or number not in formatted


def part_around(lines: list[CodeLine], number: int, places: dict[int, int]) -> Iterable[int]:
    """Return the numbers of the lines of the smallest list, resource or statement around a line.

    The statements in its blocks are left out.
    """
    bracket = around(lines[number].pieces[0])
    if bracket.role not in BLOCKS:
        first, last = (places[id(one)] for one in (bracket.opener, bracket.closer))
    elif bracket.role is CASES:
        return (number,)
    else:
        first, last = statement_around(lines, number, bracket)
    block = block_around(bracket)
    return [
        at for at in range(first, last + 1) if block_around(around(lines[at].pieces[0])) is block
    ]


def around(piece: Piece) -> Bracket:
    """Return the brackets around a line that begins with a piece; those of a list for its last line."""
    bracket = piece.bracket
    is_own = piece is bracket.opener or (piece is bracket.closer and bracket.role in BLOCKS)
    return bracket.around or bracket if is_own else bracket


def block_around(bracket: Bracket) -> Bracket:
    """Return the block that contains brackets, or is these."""
    while bracket.role not in BLOCKS and bracket.around is not None:
        bracket = bracket.around
    return bracket


def statement_around(lines: list[CodeLine], number: int, bracket: Bracket) -> tuple[int, int]:
    """Return the numbers of the first and the last line of a statement in a block."""
    first = last = number
    while first > 0 and not begins(lines[first], bracket) and is_within(lines[first - 1], bracket):
        first -= 1
    while last + 1 < len(lines) and is_within(lines[last + 1], bracket):
        if begins(lines[last + 1], bracket):
            break
        last += 1
    return first, last


def begins(line: CodeLine, bracket: Bracket) -> bool:
    """Return whether a statement of a block begins with a line; comments count as one."""
    first = line.pieces[0]
    return (first.begins or first.kind is COMMENT) and around(first) is bracket


def is_within(line: CodeLine, bracket: Bracket) -> bool:
    """Return whether a line is part of the content of brackets."""
    inner: Bracket | None = around(line.pieces[0])
    while inner is not None and inner is not bracket:
        inner = inner.around
    return inner is bracket
