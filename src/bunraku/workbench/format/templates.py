"""Format the code in the tags of an EPP template: the blanks within lines. The text between tags stays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bunraku.base.source import Source
from bunraku.base.text_edits import Edit, edited
from bunraku.syntax.nodes import Program
from bunraku.syntax.tokens import Tokens
from bunraku.workbench.format.gaps import TYPE_ENDS, gap_between
from bunraku.workbench.format.marks import marks_of
from bunraku.workbench.format.pieces import Piece
from bunraku.workbench.format.reading import PieceReader

TEXTS = frozenset({"RENDER_STRING", "RENDER", "EPP_START", "EPP_END"})
"""The kinds of tokens that are no code."""


def spaced_template(
    source: Source, tokens: Tokens, program: Program, chosen: Sequence[range] | None
) -> str:
    """Return the text of a template with the right blanks in its tags."""
    edits = gap_edits(source.text, tokens, program)
    if chosen is not None:
        edits = (one for one in edits if any(source.line(one.start) in part for part in chosen))
    return edited(source.text, edits)


def gap_edits(text: str, tokens: Tokens, program: Program) -> Iterator[Edit]:
    """Yield the edits of blanks between two tokens on a line of one tag."""
    for before, piece, end in list(pairs_in_tags(text, tokens, program)):
        is_name = piece.kind == "VARIABLE" and before.kind in TYPE_ENDS  # perhaps in a column
        old = piece.start - end
        gap = max(1, old) if is_name else gap_between(before, piece)
        if gap != old:
            yield Edit(end, piece.start, " " * gap)


def pairs_in_tags(
    text: str, tokens: Tokens, program: Program
) -> Iterator[tuple[Piece, Piece, int]]:
    """Yield two pieces with nothing but blanks between them, and the end of the first."""
    reader = PieceReader(text, tokens, marks_of(program), 1)
    before, end = None, 0
    for kind, start, last in reader.code():
        if kind in TEXTS:
            before = None
            continue
        blanks = text[end:start]
        reader.add(kind, text[start:last], len(blanks), start)
        piece = reader.pieces[-1]
        if before is not None and not blanks.strip(" \t"):
            yield before, piece, end
        before, end = piece, last
