"""The few changes of lines: what is joined, what begins a line of its own, empty lines, commas."""

from __future__ import annotations

from bunraku.workbench.format.pieces import (
    ATTRIBUTES,
    BLOCK,
    CASES,
    CHAINS,
    CLOSERS,
    COMMENT,
    DEFINITION,
    HASH,
    LAMBDA,
    LIST,
    LISTS_OF_PARAMETERS,
    OPENERS,
    PARAMETERS,
    RESOURCE,
    SELECTOR,
    SEPARATORS,
    SIGNATURE,
    CodeLine,
    Piece,
)

BESIDE_HEAD = frozenset(
    {ATTRIBUTES, BLOCK, CASES, DEFINITION, LAMBDA, PARAMETERS, RESOURCE, SELECTOR, SIGNATURE}
)
"""The roles of brackets that stand on the line of what is before them."""
WITH_COMMA = frozenset({ATTRIBUTES, HASH, LIST, PARAMETERS, RESOURCE, SELECTOR, SIGNATURE})
"""The roles of brackets whose last element has a comma if the closing bracket is on a line of its own."""
BRANCHES = frozenset({"else", "elsif"})
NEVER_APART = CLOSERS | CHAINS
"""The kinds at the beginning of a line that have no empty line before them."""


def structured(lines: list[CodeLine]) -> list[CodeLine]:
    """Return the lines with the tokens on the lines on which they should be."""
    found: list[CodeLine] = []
    for line in lines:
        for part in parts_of(line):
            previous = found[-1] if found else None
            if previous is None or previous.kept or part.kept:
                found.append(part)
            else:
                place_line(found, previous, part)
    for before, line in zip([None, *found], found, strict=False):
        if not line.kept:
            line.blanks = blanks_between(before, line)
    return found


def parts_of(line: CodeLine) -> list[CodeLine]:
    """Return a line, or several if it has more than one parameter of a list of several lines."""
    if line.kept or line.raw or not any(map(is_in_parameters, line.pieces)):
        return [line]
    found = [line]
    pieces: list[Piece] = []
    fresh = False
    for piece in line.pieces:
        if pieces and piece.kind is not COMMENT and (fresh or closes_broken(piece)):
            found[-1].pieces = pieces
            pieces = []
            found.append(CodeLine(pieces, 0, line.written, piece.start))
            piece.gap = 0
        pieces.append(piece)
        if piece.kind is not COMMENT:
            fresh = is_before_parameter(piece)
    found[-1].pieces = pieces
    return found


def is_in_parameters(piece: Piece) -> bool:
    """Return whether a piece is part of a list of parameters of several lines, or its bracket."""
    return piece.bracket.is_broken and piece.bracket.role in LISTS_OF_PARAMETERS


def closes_broken(piece: Piece) -> bool:
    """Return whether a piece ends a list of parameters of several lines."""
    return piece.kind == ")" and is_in_parameters(piece)


def is_before_parameter(piece: Piece) -> bool:
    """Return whether a parameter of a list of several lines follows a piece."""
    return is_in_parameters(piece) and (piece.kind == "," or piece is piece.bracket.opener)


def place_line(found: list[CodeLine], previous: CodeLine, line: CodeLine) -> None:
    """Add a line to those before it: as a line, or behind the last one."""
    first, last = line.pieces[0], previous.pieces[-1]
    if first.kind is COMMENT:
        found.append(line)
        return
    holder = line_that_ends_with_arrow(found)
    if holder is not None:
        take_arrow(found, holder, line)
    if last.kind is COMMENT or holder is not None:
        found.append(line)
    elif not previous.raw and stands_beside(previous, first):
        join_lines(previous, line)
    else:
        found.append(line)


def line_that_ends_with_arrow(found: list[CodeLine]) -> CodeLine | None:
    """Return the last line of code if a chain goes on behind it, and the comments after it; None if not."""
    for line in reversed(found):
        code = last_code(line)
        if line.kept or code is not None:
            return line if not line.kept and code is not None and code.kind in CHAINS else None
    return None


def last_code(line: CodeLine) -> Piece | None:
    """Return the last piece of a line, comments aside."""
    return next((piece for piece in reversed(line.pieces) if piece.kind is not COMMENT), None)


def take_arrow(found: list[CodeLine], holder: CodeLine, line: CodeLine) -> None:
    """Move the arrow at the end of a line to the beginning of another one."""
    arrow = last_code(holder)
    if arrow is None:
        return
    holder.pieces.remove(arrow)
    if not holder.pieces:
        found.remove(holder)
    line.pieces[0].gap = 1
    arrow.gap = 0
    line.pieces.insert(0, arrow)


def stands_beside(previous: CodeLine, first: Piece) -> bool:
    """Return whether the first piece of a line should be on the line before."""
    last = previous.pieces[-1]
    if first.kind in OPENERS and first.role in BESIDE_HEAD:
        return True
    if last.bracket.opener in previous.pieces:
        return False  # several branches of one line each
    return first.kind in BRANCHES and last.kind == "}"


def join_lines(previous: CodeLine, line: CodeLine) -> None:
    """Put a line behind the one before."""
    line.pieces[0].gap = 1
    previous.pieces += line.pieces
    previous.raw = line.raw


def blanks_between(before: CodeLine | None, line: CodeLine) -> int:
    """Return the number of empty lines between two lines: at most one, none beside a bracket or before a chain's arrow.

    Many leave a line empty behind the header of a class or another definition.
    """
    if before is None or line.pieces[0].kind in NEVER_APART:
        return 0
    last = before.pieces[-1]
    if last.kind in OPENERS and last.role is not DEFINITION:
        return 0
    return min(line.blanks, 1)


def add_commas(lines: list[CodeLine]) -> None:
    """Add the comma behind the last element of lists whose closing bracket begins a line."""
    last: tuple[CodeLine, int] | None = None
    for line in lines:
        closer = line.pieces[0]
        if last is not None and closer.kind in CLOSERS and closer.role in WITH_COMMA:
            holder, index = last
            if not holder.kept and not line.kept and lacks_comma(holder.pieces[index], closer):
                holder.pieces.insert(index + 1, Piece(",", ",", 0, -1, closer.bracket))
        for index in range(len(line.pieces) - 1, -1, -1):
            if line.pieces[index].kind is not COMMENT:
                last = line, index
                break


def lacks_comma(last: Piece, closer: Piece) -> bool:
    """Return whether a comma should follow the last piece of a list."""
    bracket = closer.bracket
    if last is bracket.opener or last.kind in SEPARATORS:
        return False
    if bracket.role is RESOURCE:
        return bracket.titles == 1 and last.kind != ":"
    return True
