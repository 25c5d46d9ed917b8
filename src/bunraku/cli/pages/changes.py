"""Lines that differ, for a page: of two texts, with the words that changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby, zip_longest

from bunraku.cli.pages.highlight import Piece
from bunraku.cli.pages.model import Diff, DiffLine, Layout

WORD = re.compile(r"\w+|\s+|[^\w\s]")
ALIKE = 0.4
"""Lines less alike than this are shown without changed words."""
LONGEST = 2000
"""Words of longer lines are not compared: the time grows with the square of their number."""

ShownLine = tuple[DiffLine, list[Piece]]
"""A line, and its text in pieces; the style of a changed word is ``changed``."""


def texts_diff(
    old: str, new: str, layout: Layout = "inline", context: int = 3, first: int = 1
) -> Diff:
    """Return the difference of two texts, with ``context`` equal lines around each change.

    ``first`` is the number of the first line of both.

    >>> for line in texts_diff("a\\nb\\n", "a\\nc\\n").lines:
    ...     print(line.mark or " ", line.text, line.old, line.new)
      a 1 1
    - b 2 0
    + c 0 2
    """
    before, after = old.splitlines(), new.splitlines()
    lines: list[DiffLine] = []
    last = 0
    for group in SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(context):
        if last or group[0][1]:
            lines.append(DiffLine("@", f"line {group[0][3] + first}"))
        last = group[-1][2]
        for kind, start, end, low, high in group:
            if kind == "equal":
                lines += [
                    DiffLine("", before[start + at], start + at + first, low + at + first)
                    for at in range(end - start)
                ]
                continue
            lines += [DiffLine("-", before[at], at + first) for at in range(start, end)]
            lines += [DiffLine("+", after[at], 0, at + first) for at in range(low, high)]
    return Diff(lines, layout)


def shown_lines(lines: Sequence[DiffLine]) -> list[ShownLine]:
    """Return the lines with the words that changed between removed lines and those added after them."""
    found: list[ShownLine] = []
    for removed, added in runs(lines):
        pairs = [word_changes(old.text, new.text) for old, new in zip(removed, added, strict=False)]
        for side, run in enumerate((removed, added)):
            for at, line in enumerate(run):
                changed = line.mark in {"-", "+"} and at < len(pairs)
                found.append((line, pairs[at][side] if changed else [(line.text, "")]))
    return found


def runs(lines: Sequence[DiffLine]) -> Iterator[tuple[list[DiffLine], list[DiffLine]]]:
    """Yield removed lines with the added lines after them; other lines alone."""
    waiting: list[DiffLine] = []
    for mark, run in groupby(lines, key=lambda line: line.mark):
        if mark == "-":
            waiting = list(run)
            continue
        if mark == "+":
            yield waiting, list(run)
        else:
            if waiting:
                yield waiting, []
            yield list(run), []
        waiting = []
    if waiting:
        yield waiting, []


def word_changes(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """Return both texts in pieces; no word is emphasised where the texts have little in common.

    >>> word_changes("mode => 1", "mode => 2")
    ([('mode => ', ''), ('1', 'changed')], [('mode => ', ''), ('2', 'changed')])
    """
    plain = [(old, "")], [(new, "")]
    if max(len(old), len(new)) > LONGEST:
        return plain
    before, after = WORD.findall(old), WORD.findall(new)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    if matcher.ratio() < ALIKE:
        return plain
    left: list[Piece] = []
    right: list[Piece] = []
    for kind, start, end, low, high in matcher.get_opcodes():
        style = "" if kind == "equal" else "changed"
        for side, words in ((left, before[start:end]), (right, after[low:high])):
            if words:
                side.append(("".join(words), style))
    return left, right


def side_rows(lines: Sequence[DiffLine]) -> list[tuple[ShownLine | None, ShownLine | None]]:
    """Return the lines in rows of two: the old line, and the new one beside it."""
    rows: list[tuple[ShownLine | None, ShownLine | None]] = []
    shown = iter(shown_lines(lines))
    for removed, added in runs(lines):
        left = [next(shown) for _ in removed]
        right = [next(shown) for _ in added]
        if removed and removed[0].mark != "-":
            rows += [(line, line) for line in left]
        else:
            rows += zip_longest(left, right)
    return rows
