"""Pieces of a translated regular expression: their possible matches, and whether repeating them is safe."""

from __future__ import annotations

import re

from bunraku.base.bounded_cache import remembered
from bunraku.base.records import field, record

UNICODE_BIT = 1 << 128


@record()
class Piece:
    """A translated part of a pattern, with the data needed to combine it."""

    text: str
    width: int | None = 1  # None: varies
    nullable: bool = False
    atoms: list[str] = field(default_factory=list)  # Python spelling of all it may consume
    first: list[str] | None = None  # the characters that it may begin with; None: not known
    ambiguous: bool = False  # can match one text in several ways of equal start
    delimited: bool = False  # begins or ends with a character that is nowhere else in it
    loops: int = 0  # unbounded repetitions in it
    groups: int = 0  # capturing groups in it
    line_start: bool = False


def anchor(text: str) -> Piece:
    """Return a piece that consumes nothing."""
    return Piece(text, 0, nullable=True)


def join_sequence(pieces: list[Piece]) -> Piece:
    """Return a piece that is a sequence of pieces."""
    texts: list[str] = []
    nullable = True
    for piece in reversed(pieces):
        if piece.line_start and nullable:
            # Ruby's ^ does not match after a newline that ends the text
            texts.append("^(?!(?<=\\n)\\Z)")
        else:
            texts.append(piece.text)
        nullable = nullable and piece.nullable
    texts.reverse()
    widths = [piece.width for piece in pieces]
    consuming = [piece for piece in pieces if piece.width != 0]
    first = consuming[0].first if consuming and not consuming[0].nullable else None
    return Piece(
        "".join(texts),
        None if None in widths else sum(width or 0 for width in widths),
        nullable,
        [atom for piece in pieces for atom in piece.atoms],
        first,
        any(piece.ambiguous for piece in pieces),
        is_delimited(consuming),
        sum(piece.loops for piece in pieces),
        sum(piece.groups for piece in pieces),
        line_start=len(pieces) == 1 and pieces[0].line_start,
    )


def join_alternatives(branches: list[Piece]) -> Piece:
    """Return a piece that is a choice of pieces."""
    widths = {branch.width for branch in branches}
    ambiguous = any(branch.ambiguous for branch in branches) or not are_disjoint(branches)
    known = all(branch.first is not None for branch in branches)
    return Piece(
        "|".join(branch.text for branch in branches),
        widths.pop() if len(widths) == 1 else None,
        any(branch.nullable for branch in branches),
        [atom for branch in branches for atom in branch.atoms],
        [atom for branch in branches for atom in branch.first or ()] if known else None,
        ambiguous,
        loops=max(branch.loops for branch in branches),
        groups=sum(branch.groups for branch in branches),
    )


@remembered(4096)
def alphabet(atom: str) -> int:
    r"""Return the characters an atom matches as bits: one for each of ASCII, one for all others.

    >>> [alphabet(atom) == 1 << ord(".") for atom in (r"\.", ".", "[.]")]
    [True, False, True]
    """
    literal = atom[1:] if atom[:1] == "\\" else atom
    if len(literal) == 1 and literal.isascii() and (literal.isalnum() == (literal is atom)):
        return 1 << ord(literal)  # a letter, or an escaped sign: most atoms
    match = re.compile(atom, re.ASCII).match
    bits = sum(1 << code for code in range(128) if match(chr(code)))
    return bits | UNICODE_BIT if match("\u00e9") or match("\u4e00") or not atom.isascii() else bits


def alphabets(atoms: list[str]) -> int:
    """Return the characters that any of several atoms matches."""
    bits = 0
    for atom in atoms:
        bits |= alphabet(atom)
    return bits


def are_disjoint(branches: list[Piece]) -> bool:
    """Return whether the first character determines the branch."""
    seen = 0
    for branch in branches:
        if branch.first is None:
            return False
        bits = alphabets(branch.first)
        if bits & seen:
            return False
        seen |= bits
    return True


def is_delimited(pieces: list[Piece]) -> bool:
    """Return whether the first or last piece is one character that no other piece can consume."""
    if len(pieces) < 2:
        return False
    for edge, others in ((pieces[0], pieces[1:]), (pieces[-1], pieces[:-1])):
        if edge.width == 1 and not edge.nullable and edge.atoms:
            if not alphabets(edge.atoms) & alphabets([a for o in others for a in o.atoms]):
                return True
    return False


def is_safe_loop(piece: Piece) -> bool:
    """Return whether unlimited repetition of a piece takes only polynomial time."""
    if piece.delimited and not piece.ambiguous:
        return True
    return piece.width is not None and not piece.ambiguous
