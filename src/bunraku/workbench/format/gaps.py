"""The blanks between the pieces of a line."""

from __future__ import annotations

from bunraku.workbench.format.pieces import (
    COMMENT,
    GROUP,
    LIST,
    LISTS_OF_PARAMETERS,
    TYPE,
    UNARY,
    CodeLine,
    Piece,
)

LONGEST = 140
"""The most characters of a line for puppet-lint."""
TIGHT_BEFORE = frozenset({",", ";", ":", ".", ")", "]"})
TIGHT_AFTER = frozenset({"(", "WSLPAREN", "[", "LISTSTART", ".", "@", "@@"})
BRACES = frozenset({"{", "SELBRACE"})
ALIGNED = frozenset({"=>", "+>", "=", "+=", "-="})
"""The kinds whose place is that of those on the lines around."""
LOOSE_AFTER = frozenset({"!", COMMENT, "apply"})
ROUND = frozenset({"(", "WSLPAREN"})
QUERIES = frozenset({"<|", "<<|"})
TYPE_ENDS = frozenset({"CLASSREF", "]"})


def set_gaps(line: CodeLine) -> None:
    """Set the blanks between the pieces of a line; commas stay tight if it would become too long."""
    pieces = line.pieces
    before = pieces[0]
    before.gap = 0
    tight: list[Piece] = []
    for piece in pieces[1:]:
        gap = gap_between(before, piece)
        if gap > piece.gap and before.kind == ",":
            tight.append(piece)
        piece.gap = gap
        before = piece
    if tight:
        length = line.written + sum([piece.gap + len(piece.text) for piece in pieces])
        if length > LONGEST >= length - len(tight):
            for piece in tight:
                piece.gap = 0


def gap_between(before: Piece, piece: Piece) -> int:
    """Return the number of blanks between two pieces of a line."""
    kind, prior = piece.kind, before.kind
    if kind in TIGHT_BEFORE:
        return piece.gap if prior == "NUMBER" and kind == "." else 0
    if kind is COMMENT:
        return piece.gap or 1
    if prior in TIGHT_AFTER:
        return 0
    if kind == "}":
        return 0 if prior in BRACES or piece.bracket.is_tight else 1
    if prior == "{" and before.bracket.is_tight:
        return 0
    if kind in ALIGNED:
        return piece.gap or 1
    if is_loose(before, piece):
        return min(piece.gap, 1)
    if kind in ROUND:
        return 1 if piece.role is GROUP else 0
    if kind == "[" and piece.role is not LIST:
        return 0
    is_name = piece.bracket.role in LISTS_OF_PARAMETERS and kind == "VARIABLE"
    return piece.gap or 1 if prior == ":" or (is_name and prior in TYPE_ENDS) else 1


def is_loose(before: Piece, piece: Piece) -> bool:
    """Return whether one blank or none may stand between two pieces."""
    kind, prior = piece.kind, before.kind
    if prior == ",":
        return before.bracket.role is TYPE
    if prior in LOOSE_AFTER or before.role is UNARY:
        return True
    if kind == "|":
        return piece is piece.bracket.closer
    if prior == "|":
        return before is before.bracket.opener
    return (
        kind in QUERIES or piece.role in LISTS_OF_PARAMETERS or (prior in QUERIES and kind == "|>")
    )
