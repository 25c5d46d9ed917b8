"""Checks of blanks, lines and the alignment of arrows."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.text_edits import Edit
from bunraku.workbench.lint.declaration import Problem, check
from bunraku.workbench.lint.manifest import COMMENT, Body, Manifest


@check("Blanks between tokens are spaces, not tabs.", severity="error", fixes="layout")
def hard_tabs(manifest: Manifest) -> Iterator[Problem]:
    """Report tabs between tokens."""
    for start, end in manifest.blanks_with_tabs():
        edit = Edit(start, end, manifest.text[start:end].replace("\t", "  "))
        yield Problem(start, end, "tab character found", (edit,))


@check("No line ends with blanks.", severity="error", fixes="layout")
def trailing_whitespace(manifest: Manifest) -> Iterator[Problem]:
    """Report blanks at the end of a line."""
    for start, end in manifest.trailing_blanks():
        yield Problem(start, end, "trailing whitespace found", (Edit(start, end, ""),))


@check("Lines are indented by a multiple of two spaces.", name="2sp_soft_tabs", severity="error")
def two_space_soft_tabs(manifest: Manifest) -> Iterator[Problem]:
    """Report indents of an odd number of blanks."""
    for start, end in manifest.odd_indents():
        yield Problem(start, end, "two-space soft tabs not used")


def long_lines(manifest: Manifest, limit: int) -> Iterator[Problem]:
    """Report long lines, other than those with a URL or a call of a template function."""
    text, start = manifest.text, 0
    size, find_last = len(text), text.rfind
    while (end := start + limit) < size:
        last = find_last("\n", start, end + 1)  # of all lines that end within the limit
        if last >= 0:
            start = last + 1
            continue
        end = text.find("\n", start)
        end = size if end < 0 else end
        line = text[start:end]
        if "://" not in line and "template(" not in line:
            yield Problem(start + limit - 1, end, f"line has more than {limit} characters")
        start = end + 1


@check("No line has more than 140 characters.", name="140chars")
def chars_140(manifest: Manifest) -> Iterator[Problem]:
    """Report lines of more than 140 characters."""
    return long_lines(manifest, 140)


@check("No line has more than 80 characters.", name="80chars", enabled=False)
def chars_80(manifest: Manifest) -> Iterator[Problem]:
    """Report lines of more than 80 characters."""
    return long_lines(manifest, 80)


class Level:
    """The arrows of one pair of braces: indexes, those of their keys, lines, the column they need.

    ``first`` is the column of the first key.

    A line is the offset of its begin.
    """

    def __init__(self) -> None:
        self.arrows: list[int] = []
        self.keys: list[int] = []
        self.lines: list[int] = []
        self.column = 0
        self.first: int | None = None


def key_tokens(manifest: Manifest, arrow: int) -> tuple[int, int]:
    """Return the indexes of the first and the last token of the key before an arrow."""
    last = first = manifest.code_before(arrow)
    if manifest.kinds[last] == "DQPOST":
        while first > 0 and manifest.kinds[first] != "DQPRE":
            first -= 1
    elif manifest.kinds[last] == "]":
        opening = manifest.partner.get(last, last)
        if manifest.kind(opening - 1) == "VARIABLE":
            first = opening - 1
    return first, last


def is_on_one_line(manifest: Manifest, body: Body) -> bool | None:
    """Return whether all arrows of a body are on one line; None if it has none."""
    if not body.arrows:
        return None
    first, last = manifest.starts[body.arrows[0]], manifest.starts[body.arrows[-1]]
    return manifest.text.find("\n", first, last) < 0


@check("The arrows of a resource's attributes are in one column.", fixes="layout")
def arrow_alignment(manifest: Manifest) -> Iterator[Problem]:
    """Report arrows that are not one space behind the longest key between the same braces."""
    for body in manifest.bodies:
        if is_on_one_line(manifest, body) is False:
            yield from misaligned(manifest, body)


def misaligned(manifest: Manifest, body: Body) -> Iterator[Problem]:
    """Report the arrows of a resource that are in another column than they need."""
    levels = [Level()]
    if not manifest.between(body.colon, body.last, "{"):
        if are_aligned(manifest, body.arrows):
            return
        for at in body.arrows:
            add_arrow(manifest, levels[0], at)
        yield from misaligned_in(manifest, levels[0])
        return
    for at in manifest.between(body.colon, body.last + 1, "=>", "{", "}", ";"):
        kind = manifest.kinds[at]
        if kind == "=>":
            add_arrow(manifest, levels[-1], at)
        elif kind == "{":
            levels.append(Level())
        elif kind == "}" or (kind == ";" and at == body.last):
            yield from misaligned_in(manifest, levels.pop())
            if not levels:
                return


def are_aligned(manifest: Manifest, arrows: list[int]) -> bool:
    """Return whether arrows are in one column, the one behind the longest key.

    Where keys are not plain names, the result may be False for such arrows, too.
    """
    kinds, starts, ends = manifest.kinds, manifest.starts, manifest.ends
    last_in = manifest.text.rfind
    if len({starts[at] - last_in("\n", 0, starts[at]) for at in arrows}) > 1:
        return False
    if {kinds[at - 1] for at in arrows} != {"NAME"}:
        return False
    return min([starts[at] - ends[at - 1] for at in arrows]) == 1


def add_arrow(manifest: Manifest, level: Level, arrow: int) -> None:
    """Add an arrow to those between the same braces."""
    starts = manifest.starts
    first = last = arrow - 1
    if manifest.kinds[last] != "NAME":
        first, last = key_tokens(manifest, arrow)
    start, end = starts[first], manifest.ends[last]
    line = manifest.text.rfind("\n", 0, starts[arrow]) + 1
    column = start - line + 1 if line <= start else manifest.column(first)
    if level.first is None:
        level.first = column
    if line in level.lines:
        column = level.first
    level.column = max(level.column, column + end - start + 1)
    level.arrows.append(arrow)
    level.keys.append(first)
    level.lines.append(line)


def misaligned_in(manifest: Manifest, level: Level) -> Iterator[Problem]:
    """Report the arrows between two braces that are in another column than they need."""
    lines = level.lines
    if len(set(lines)) < 2:
        return
    seen: set[int] = set()
    for arrow, key, line in zip(level.arrows, level.keys, lines, strict=True):
        column = manifest.starts[arrow] - line + 1
        if column != level.column:
            align = moved_to_own_line if line in seen else moved_in_line
            yield Problem(
                manifest.starts[arrow],
                manifest.ends[arrow],
                "indentation of => is not properly aligned "
                f"(expected in column {level.column}, but found it in column {column})",
                align(manifest, level, key, arrow, column),
            )
        seen.add(line)


def moved_in_line(
    manifest: Manifest, level: Level, _key: int, arrow: int, column: int
) -> tuple[Edit, ...]:
    """Return the edit that puts an arrow into the column of its level."""
    before, start = manifest.ends[arrow - 1], manifest.starts[arrow]
    width = level.column - column + start - before
    if width <= 0 or manifest.kind(arrow - 1) == COMMENT:
        return ()
    return (Edit(before, start, " " * width),)


def moved_to_own_line(
    manifest: Manifest, level: Level, key: int, arrow: int, _column: int
) -> tuple[Edit, ...]:
    """Return the edits that put an attribute below the first of its level, as puppet-lint does."""
    indent = (level.first or 1) - 1
    before, start = manifest.ends[key - 1], manifest.starts[key]
    end = manifest.ends[arrow - 1]
    width = level.column - 1 - indent - (end - start)
    if width <= 0 or COMMENT in (manifest.kind(key - 1), manifest.kind(arrow - 1)):
        return ()
    return (
        Edit(before, start, "\n" + " " * indent),
        Edit(end, manifest.starts[arrow], " " * width),
    )


@check("The arrow of a single attribute has one space before it.", fixes="layout")
def space_before_arrow(manifest: Manifest) -> Iterator[Problem]:
    """Report arrows without exactly one space before them, where all are on one line."""
    for body in manifest.bodies:
        if not is_on_one_line(manifest, body):
            continue
        for at in body.arrows:
            gap = manifest.gap(at)
            if gap != " " and "\n" not in gap:
                start, end = manifest.ends[at - 1], manifest.starts[at]
                line, column = manifest.source.position(start)
                yield Problem(
                    start,
                    end,
                    f"there should be a single space before '=>' on line {line}, column {column}",
                    (Edit(start, end, " "),),
                )
