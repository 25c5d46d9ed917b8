"""The parts of a page, as records: a command builds a :class:`Page`, and ``render.py`` writes it as HTML.

All text is plain text, which the templates escape. Values that are ``Sensitive`` must be replaced before
they become part of a page, as for every other output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from bunraku.base.records import field, record

Tone = Literal["", "error", "warning", "good", "info"]
"""What a colour stands for; the text beside it says the same in words."""
Layout = Literal["inline", "side"]
Align = Literal["text", "number"]
SEVERITIES: dict[str, Tone] = {"error": "error", "warning": "warning", "deprecation": "warning"}
"""The tone of a finding's severity."""


@record(frozen=True)
class Tile:
    """A number of the summary: ``Tile("errors", "3", "error")``."""

    label: str
    value: str
    tone: Tone = ""


@record(frozen=True)
class Badge:
    """A word in colour, such as a severity."""

    text: str
    tone: Tone = ""


@record(frozen=True)
class Place:
    """A place in a file; the path is printed relative to the working directory if it is below it."""

    file: str
    line: int = 0
    column: int = 0


@record(frozen=True)
class Paragraph:
    """A sentence or more; lines stay lines."""

    text: str
    tone: Tone = ""


@record(frozen=True)
class Labelled:
    """A short text in code font behind its label: ``Labelled("Was", "'010'")``."""

    label: str
    text: str


@record(frozen=True)
class Listing:
    """A list of short texts, such as names of nodes; a long list is folded."""

    items: Sequence[str]
    label: str = ""


@record(frozen=True)
class LineNote:
    """What is to say about a line of code: a tone, a mark before the line, and a text after it."""

    tone: Tone = ""
    mark: str = ""
    text: str = ""


@record(frozen=True)
class Code:
    """Code with line numbers: the lines of ``text`` from ``start`` to ``end``, highlighted as Puppet code.

    The whole text is given, because the first lines decide how later ones are read. ``start`` and
    ``end`` are offsets, ``end`` of ``None`` is the end of the text. The characters between ``marked``'s
    offsets are emphasised. ``notes`` are those of some lines, by their numbers.
    """

    text: str
    start: int = 0
    end: int | None = None
    marked: tuple[int, int] | None = None
    puppet: bool = True
    notes: Mapping[int, LineNote] = field(default_factory=dict)


@record(frozen=True)
class DiffLine:
    """A line of a difference: its mark (``+``, ``-``, ``@`` or blank), text, and line numbers (0: none)."""

    mark: str
    text: str
    old: int = 0
    new: int = 0


@record(frozen=True)
class Diff:
    """Lines that differ; changed words of neighbouring lines are emphasised. ``texts_diff`` makes one of texts."""

    lines: Sequence[DiffLine]
    layout: Layout = "inline"


@record(frozen=True)
class Column:
    """A column of a table; ``filtered`` offers its values as a choice above the table.

    ``narrow`` keeps the text of the column on one line.
    """

    title: str
    align: Align = "text"
    filtered: bool = False
    narrow: bool = False


@record(frozen=True)
class Cell:
    """A cell of several parts; ``sort`` is the text or number that it is sorted by."""

    parts: Sequence[Block]
    sort: str = ""


@record(frozen=True)
class Table:
    """A table with a caption: rows have one cell for each column, and can be sorted and filtered."""

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[CellValue]]


@record(frozen=True)
class Entry:
    """A change or finding in a list: a badge, a heading, a place, and its content."""

    badge: Badge
    title: str
    parts: Sequence[Block] = ()
    place: Place | None = None


@record(frozen=True)
class Group:
    """A part of the page that can be folded; the filter of its section hides what does not match.

    ``words`` are further texts that the filter finds it by.
    """

    title: str
    parts: Sequence[Block]
    badges: Sequence[Badge] = ()
    opened: bool = True
    words: str = ""


@record(frozen=True)
class Branch:
    """A node of a tree, and the nodes below it."""

    title: str
    below: Sequence[Branch] = ()
    badge: Badge | None = None
    place: Place | None = None


@record(frozen=True)
class Tree:
    """Nested lists that can be folded; the levels above ``opened`` are open."""

    branches: Sequence[Branch]
    opened: int = 2


@record(frozen=True)
class Box:
    """A box of a flame graph: its depth, and start and width as fractions of the whole."""

    depth: int
    start: float
    width: float
    kind: str
    title: str
    detail: str


@record(frozen=True)
class FlameGraph:
    """Boxes above boxes: what ran, and what it called. ``kinds`` lists the kinds of boxes."""

    label: str
    boxes: Sequence[Box]
    kinds: Sequence[str]


@record(frozen=True)
class Section:
    """A part of the page under a heading of its own; ``filtered`` puts a filter above its groups."""

    title: str
    parts: Sequence[Block]
    filtered: bool = False


@record(frozen=True)
class Page:
    """A page: title, a sentence below it, the numbers of the summary, and its sections."""

    title: str
    subtitle: str = ""
    tiles: Sequence[Tile] = ()
    sections: Sequence[Section] = ()


Block: TypeAlias = (
    Badge
    | Place
    | Paragraph
    | Labelled
    | Listing
    | Code
    | Diff
    | Table
    | Entry
    | Group
    | Tree
    | FlameGraph
)
CellValue: TypeAlias = str | int | float | Block | Cell
