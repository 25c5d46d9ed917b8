"""Sources of text (a file, or a piece of code without one) and places in them."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from bunraku.base.lazy_typing import Protocol
from bunraku.base.records import field, record

Position = tuple[int, int]
"""A place as a person counts it: line and column, both from 1, columns in characters."""


@record(eq=False, slots=False)
class Source:
    """Text with a name; lines and columns are computed on demand.

    ``path`` is the path that messages print; ``on_disk`` is whether that file holds the text, so
    that text without a file (``-e``, templates) is shown to debuggers through ``linecache``.
    ``is_template`` means that the text is EPP.

    >>> source = Source("$a = 1\\n$b = 2\\n", "site.pp")
    >>> source.position(7)
    (2, 1)
    >>> source.line_text(2)
    '$b = 2'
    """

    text: str
    path: str = ""
    on_disk: bool = False
    is_template: bool = False

    @cached_property
    def line_starts(self) -> list[int]:
        """Offset of the first character of each line; only ``\\n`` ends a line."""
        lines = self.text.split("\n")
        return list(accumulate([len(line) + 1 for line in lines[:-1]], initial=0))

    def named(self, path: str) -> Source:
        """Return the same text under another path; the beginnings of lines are not computed again.

        >>> Source("$a = 1", "a.pp").named("b.pp").path
        'b.pp'
        """
        made = Source(self.text, path, self.on_disk, self.is_template)
        vars(made)["line_starts"] = self.line_starts
        return made

    @cached_property
    def is_ascii(self) -> bool:
        """Whether a column in characters is also the column in UTF-8 bytes."""
        return self.text.isascii()

    def position(self, offset: int) -> Position:
        """Return the line and column of a character offset."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, offset: int) -> int:
        """Return the line, counted from 1, of a character offset."""
        return bisect_right(self.line_starts, offset)

    def byte_column(self, offset: int) -> int:
        """Return the column from 0 in UTF-8 bytes, as Python's ``ast`` counts."""
        start = self.line_starts[bisect_right(self.line_starts, offset) - 1]
        if self.is_ascii:
            return offset - start
        return len(self.text[start:offset].encode("utf-8", "surrogateescape"))

    def offset(self, line: int, byte_column: int) -> int:
        """Return the character offset of a line (from 1) and a column in UTF-8 bytes (from 0)."""
        if line > len(self.line_starts):
            return len(self.text)
        start = self.line_starts[line - 1]
        if self.is_ascii:
            return min(start + byte_column, len(self.text))
        encoded = self.line_text(line).encode("utf-8", "surrogateescape")
        return start + len(encoded[:byte_column].decode("utf-8", "surrogateescape"))

    def line_text(self, line: int) -> str:
        """Return the text of a line (from 1) without its line end."""
        if line > len(self.line_starts):
            return ""
        start = self.line_starts[line - 1]
        stop = self.text.find("\n", start)
        return self.text[start : stop if stop >= 0 else len(self.text)].rstrip("\r")

    def line_span(self, line: int, column: int | None = None) -> Span:
        """Return the text of a line (from 1) without blanks around it, or from a column on."""
        text = self.line_text(line)
        start = self.offset(line, 0)
        if column is not None:
            begin = start + min(column - 1, len(text))
            return Span(self, begin, begin + 1)
        return Span(self, start + len(text) - len(text.lstrip()), start + len(text.rstrip()))

    def span(self, start: int, end: int) -> Span:
        """Return the piece of this source between two character offsets."""
        return Span(self, start, end)


@record(frozen=True)
class Span:
    """A piece of a source: character offsets, the end not included."""

    source: Source = field(shown=False)
    start: int
    end: int

    @property
    def position(self) -> Position:
        """Line and column where the piece begins."""
        return self.source.position(self.start)

    @property
    def line(self) -> int:
        """Line where the piece begins, counted from 1."""
        return self.source.line(self.start)

    @property
    def column(self) -> int:
        """Column where the piece begins, counted from 1 in characters."""
        return self.source.position(self.start)[1]

    @property
    def place(self) -> Place:
        """The place of a finding about this piece."""
        return Place(self.source.path or None, *self.position, span=self)


class Declared(Protocol):
    """Objects with a file and a line: a resource, a definition, an override."""

    @property
    def file(self) -> str | None:
        """The file; empty or None for code without one."""

    @property
    def line(self) -> int | None:
        """The line, from 1."""


@record(frozen=True)
class Place:
    """The place of a finding: file, line and column (from 1), None if unknown.

    ``span`` is the piece of Puppet code there, if it is known so exactly. A place in any other text
    may have the line (or its part) that is printed with the finding, as ``shown``.

    >>> Source("$a = 1\\n$b = $c", "site.pp").span(12, 14).place.where
    ('site.pp', 2, 6)
    """

    file: str | None = None
    line: int | None = None
    column: int | None = None
    span: Span | None = None
    shown: Span | None = None

    @classmethod
    def of(cls, declared: Declared) -> Place:
        """Return the place of a resource, a definition or an override."""
        return cls(declared.file or None, declared.line)

    @classmethod
    def in_text(
        cls, path: str | None, content: bytes | str, line: int | None, column: int | None = None
    ) -> Place:
        """Return a place in the text of a file, whose line is shown; without a line, the file.

        >>> Place.in_text("common.yaml", b"a: 1\\nb: [\\n", 2).where
        ('common.yaml', 2, None)
        """
        if line is None or not content:
            return cls(path or None, line, column)
        if isinstance(content, bytes):
            content = content.decode("utf-8", "surrogateescape")
        shown = Source(content, path or "").line_span(line, column)
        return cls(path or None, line, column, shown=shown)

    @property
    def where(self) -> tuple[str | None, int | None, int | None]:
        """File, line and column."""
        return self.file, self.line, self.column

    @property
    def code(self) -> Span | None:
        """The text that is printed with a finding."""
        return self.span or self.shown

    def __str__(self) -> str:
        return ":".join([str(part) for part in self.where if part])


NOWHERE = Place()
