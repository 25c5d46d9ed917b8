"""The columns of arrows, equal signs, and names of parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from operator import ne

from bunraku.workbench.format.gaps import ALIGNED, LONGEST, TYPE_ENDS
from bunraku.workbench.format.pieces import (
    ARROWS,
    ATTRIBUTES,
    BLOCK,
    DEFINITION,
    LAMBDA,
    LISTS_OF_PARAMETERS,
    RESOURCE,
    TOP,
    Bracket,
    CodeLine,
)

Row = tuple[CodeLine, int]
"""A line, and the index of the piece whose column is meant."""
OF_STATEMENTS = frozenset({TOP, BLOCK, DEFINITION, LAMBDA})
WIDE = 3
"""So many pieces in one column are there on purpose, also if shorter keys would allow another one."""
STRICT = frozenset({RESOURCE, ATTRIBUTES})
BRACES = frozenset({"{", "SELBRACE"})


class Columns:
    """The rows of each group, collected line by line."""

    def __init__(self) -> None:
        self.names: dict[Bracket, list[Row]] = {}
        self.equals: dict[Bracket, list[Row]] = {}
        self.arrows: dict[tuple[Bracket, int], list[Row]] = {}
        self.options: dict[Bracket, list[Row]] = {}
        self.assignments: list[list[Row]] = []
        self.bodies: Counter[Bracket] = Counter()

    def add(self, line: CodeLine) -> None:
        """Add the rows of a line."""
        pieces = line.pieces
        if pieces and pieces[0].kind == ";":
            self.bodies[pieces[0].bracket] += 1
        for index in range(1, len(pieces)):
            piece = pieces[index]
            kind = piece.kind
            if kind in ALIGNED:
                if kind in ARROWS:
                    level = arrow_level(piece.bracket)
                    self.arrows.setdefault((level, self.bodies[level]), []).append((line, index))
                else:
                    self.add_equals(line, index)
            elif kind == "VARIABLE":
                if (
                    piece.bracket.role in LISTS_OF_PARAMETERS
                    and pieces[index - 1].kind in TYPE_ENDS
                ):
                    self.names.setdefault(piece.bracket, []).append((line, index))
            elif kind == ";":
                self.bodies[piece.bracket] += 1
            elif pieces[index - 1].kind == ":":
                self.add_option(line, index)

    def add_equals(self, line: CodeLine, index: int) -> None:
        """Add the row of an equal sign."""
        piece = line.pieces[index]
        role = piece.bracket.role
        if role in LISTS_OF_PARAMETERS:
            self.equals.setdefault(piece.bracket, []).append((line, index))
            return
        first = line.pieces[0]
        if role in OF_STATEMENTS and index == 1 and first.kind == "VARIABLE" and first.begins:
            groups = self.assignments
            if groups and follows(groups[-1][-1][0], line):
                groups[-1].append((line, index))
            else:
                groups.append([(line, index)])
        elif not line.kept:
            piece.gap = 1

    def add_option(self, line: CodeLine, index: int) -> None:
        """Add the row of what is behind the colon of an option or a title, if all of it is on the line."""
        piece = line.pieces[index]
        around = line.pieces[index - 1].bracket
        if piece.kind == "{" and piece.bracket.closer not in line.pieces:
            set_gap((line, index), 1)
        else:
            self.options.setdefault(around, []).append((line, index))

    def set(self) -> None:
        """Set the blanks before the pieces of all groups."""
        for rows in self.names.values():
            settle([row for row in rows if row[0].pieces[0].kind != "]"])
        for rows in self.equals.values():
            settle(rows)
        self.set_assignments()
        for rows in self.options.values():
            settle(first_of_lines(rows))
        for (bracket, _), rows in self.arrows.items():
            if bracket.role in STRICT or is_in_resource(bracket):
                align(rows)
            else:
                settle(first_of_lines(rows))

    def set_assignments(self) -> None:
        """Set the blanks of assignments; one on its own may be in the column of others at its indent.

        Branches that set the same variables have one column in many modules.
        """
        alone = [rows[0] for rows in self.assignments if len(rows) == 1]
        for rows in self.assignments:
            if len(rows) > 1:
                settle(rows)
        places = [indent_and_column(row) for rows in self.assignments for row in rows]
        count = Counter(places)
        for row in alone:
            if count[indent_and_column(row)] < WIDE:
                settle([row])


def indent_and_column(row: Row) -> tuple[int, int]:
    """Return the indent of a line, and the column of a piece."""
    line, index = row
    return line.indent, line.column(index)


def follows(before: CodeLine, line: CodeLine) -> bool:
    """Return whether a line follows another one directly, at the same indent."""
    if before.number + 1 != line.number or before.raw or line.blanks:
        return False
    return before.indent == line.indent and all("\n" not in piece.text for piece in before.pieces)


def arrow_level(bracket: Bracket) -> Bracket:
    """Return the pair of braces around an arrow; those of puppet-lint within resources."""
    level: Bracket | None = bracket
    while level is not None and (level.opener is None or level.opener.kind not in BRACES):
        level = level.around
    if level is not None and (level.role in STRICT or is_in_resource(level)):
        return level
    return bracket


def is_in_resource(bracket: Bracket) -> bool:
    """Return whether a pair of brackets is part of the attributes of a resource."""
    around = bracket.around
    while around is not None:
        if around.role is RESOURCE:
            return True
        if around.role in OF_STATEMENTS:
            return False
        around = around.around
    return False


def first_of_lines(rows: list[Row]) -> list[Row]:
    """Return the first row of each line; the others get one blank."""
    found: dict[int, Row] = {}
    for row in rows:
        if found.setdefault(id(row[0]), row) is not row:
            set_gap(row, 1)
    return list(found.values())


def set_gap(row: Row, gap: int) -> None:
    """Set the blanks before a piece, unless its line is kept."""
    line, index = row
    if not line.kept:
        line.pieces[index].gap = gap


def align(rows: list[Row]) -> None:
    """Put the pieces in the column behind the longest key, as puppet-lint's arrow_alignment does."""
    firsts = first_of_lines(rows)
    if len(firsts) == 1:
        set_gap(firsts[0], 1)
        return
    ends = [line.end_column(index - 1) for line, index in firsts]
    column = max(ends) + 1
    if len(firsts) < len(rows):
        column = max(column, column_of_others(rows, firsts))
    for row, end in zip(firsts, ends, strict=True):
        move(row, column - end)


def column_of_others(rows: list[Row], firsts: list[Row]) -> int:
    """Return the column that keys need which are not the first of their line."""
    line, index = firsts[0]
    first = line.column(key_start(line, index))
    lengths = [
        line.end_column(index - 1) - line.column(key_start(line, index))
        for line, index in rows
        if (line, index) not in firsts
    ]
    return first + max(lengths) + 1


def key_start(line: CodeLine, arrow: int) -> int:
    """Return the index of the first piece of the key before an arrow."""
    index = arrow - 1
    while index > 0 and line.pieces[index].gap == 0 and line.pieces[index - 1].kind != "{":
        index -= 1
    return index


def settle(rows: list[Row]) -> None:
    """Put pieces in one column, or give them one blank each, as most of them are.

    Lines in succession may have a column of their own. What suits less than half of the rows is
    not meant; then all are aligned, unless a line becomes too long.
    """
    ends = [line.end_column(index - 1) for line, index in rows]
    gaps = [line.pieces[index].gap for line, index in rows]
    number = len(rows)
    if gaps.count(1) == number:
        return
    best = min(choices(rows, ends, gaps), key=lambda choice: changes(gaps, choice))
    if number > 1 and changes(gaps, best) * 2 >= number:
        best = in_column(ends, max(ends) + 1)
        if any(length(row, gap) > LONGEST for row, gap in zip(rows, best, strict=True)):
            best = [1] * number
    for row, gap in zip(rows, best, strict=True):
        move(row, gap)


def move(row: Row, gap: int) -> None:
    """Set the blanks before a piece for its column, unless they alone would make the line too long."""
    line, index = row
    before = max(line.pieces[index].gap, 1)
    if gap > before and length(row, gap) > LONGEST >= length(row, before):
        gap = before
    set_gap(row, gap)


def length(row: Row, gap: int) -> int:
    """Return the length of a line if a piece has a gap before, and those behind it one blank at most."""
    line, index = row
    after = [
        min(piece.gap, 1) + len(piece.text.partition("\n")[0]) for piece in line.pieces[index:]
    ]
    return line.end_column(index - 1) + sum(after) - min(line.pieces[index].gap, 1) + gap


def choices(rows: list[Row], ends: list[int], gaps: list[int]) -> Iterator[list[int]]:
    """Yield the gaps that rows could have: a common column, columns of successive lines, one blank."""
    yield in_common_column(ends, gaps)
    by_run: list[int] = []
    for first, last in runs(rows):
        by_run += nearest(ends[first:last], gaps[first:last])
    yield by_run
    yield [1] * len(rows)


def nearest(ends: list[int], gaps: list[int]) -> list[int]:
    """Return the gaps of a common column or single blanks, whichever changes less."""
    aligned = in_common_column(ends, gaps)
    return aligned if changes(gaps, aligned) <= len(gaps) - gaps.count(1) else [1] * len(gaps)


def in_common_column(ends: list[int], gaps: list[int]) -> list[int]:
    """Return the gaps that put pieces in the column in which most of them are.

    A column that leaves more than one blank behind all keys is meant if all pieces or three are in it.
    """
    if len(ends) == 1:
        return [1]
    columns = Counter([end + gap for end, gap in zip(ends, gaps, strict=True)])
    count, column = max((count, -column) for column, count in columns.items())
    is_meant = count >= min(WIDE, len(ends))
    return in_column(ends, -column if is_meant else max(ends) + 1)


def in_column(ends: list[int], column: int) -> list[int]:
    """Return the gaps that put pieces in a column; those behind longer keys have one blank."""
    return [max(1, column - end) for end in ends]


def changes(gaps: list[int], choice: list[int]) -> int:
    """Return the number of gaps that a choice changes."""
    return sum(map(ne, gaps, choice))


def runs(rows: list[Row]) -> Iterator[tuple[int, int]]:
    """Yield the bounds of the rows that are on lines in succession."""
    first = 0
    for at in range(1, len(rows) + 1):
        if at == len(rows) or not follows(rows[at - 1][0], rows[at][0]):
            yield first, at
            first = at


def set_columns(lines: list[CodeLine]) -> None:
    """Set the blanks before arrows, equal signs and names of parameters."""
    columns = Columns()
    for number, line in enumerate(lines):
        line.number = number
        columns.add(line)
    columns.set()
