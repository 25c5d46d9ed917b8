"""The tokens of a manifest, as parallel lists that the lexer passes to the parser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bunraku.base.errors import Issue
from bunraku.base.lazy_typing import Any
from bunraku.base.records import record
from bunraku.base.source import Source


@record(frozen=True)
class Token:
    """One token, for those who look at a few; the parser reads the lists."""

    kind: str
    value: Any
    start: int
    end: int


@record(frozen=True)
class Finding:
    """A mistake found while lexing, before it has a source."""

    issue: Issue
    arguments: dict[str, object]
    start: int
    end: int


class Tokens:
    """The tokens of a text; the last one is ``END``.

    The kind of a keyword or an operator is its own text; the others are NAME, WORD, CLASSREF,
    VARIABLE, NUMBER, BOOLEAN, STRING, REGEX, DQPRE, DQMID, DQPOST (the text before, between and
    after interpolations), HEREDOC, RENDER_STRING, RENDER, EPP_START, EPP_END, ``LISTSTART`` (a
    ``[`` after a space), ``WSLPAREN`` (a ``(`` first on its line), ``SELBRACE`` (a ``{`` after
    ``?``), OTHER (a character that begins no token), ERROR (whose value is a Finding) and END.
    ``comment_runs`` are the places of comments; those on lines in succession may be one run.
    ``heredocs`` are the places of the texts of heredocs, each with its end line.
    """

    __slots__ = (
        "comment_runs",
        "ends",
        "heredocs",
        "kinds",
        "starts",
        "values",
        "warnings",
    )

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.values: list[Any] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.comment_runs: list[tuple[int, int]] = []
        self.heredocs: list[tuple[int, int]] = []
        self.warnings: list[Finding] = []

    def __len__(self) -> int:
        return len(self.kinds)

    def __iter__(self) -> Iterator[Token]:
        return map(Token, self.kinds, self.values, self.starts, self.ends)

    def add(self, kind: str, value: Any, start: int, end: int) -> None:
        """Append one token."""
        self.kinds.append(kind)
        self.values.append(value)
        self.starts.append(start)
        self.ends.append(end)

    def with_own_warnings(self) -> Tokens:
        """Return these tokens for a parser, which adds warnings."""
        found = Tokens()
        for name in Tokens.__slots__:
            setattr(found, name, getattr(self, name))
        found.warnings = [*self.warnings]
        return found

    def rotate(self, index: int) -> None:
        """Move the token at an index to the end."""
        columns: tuple[list[Any], ...] = (self.kinds, self.values, self.starts, self.ends)
        for column in columns:
            column.append(column.pop(index))

    def drop_from(self, index: int) -> None:
        """Take back the tokens from an index on."""
        del self.kinds[index:], self.values[index:], self.starts[index:], self.ends[index:]


def comments_in(runs: Iterable[tuple[int, int]], text: str) -> Iterator[tuple[int, int]]:
    r"""Yield the places of the single comments of runs.

    >>> list(comments_in([(0, 10), (11, 21)], "# one\n  #2\n/*\n # 3 */"))
    [(0, 5), (8, 10), (11, 21)]
    """
    for start, last in runs:
        if text[start] == "#":
            while (end := text.find("\n", start, last)) >= 0:
                yield start, end
                start = text.index("#", end)
        yield start, last


def gap_in_run(start: int, text: str, offset: int) -> tuple[int, int]:
    """Return the piece before the comment on the line of an offset, in a run from a start on.

    The piece is empty on the first line of the run.
    """
    line_end = text.rfind("\n", start, offset) if text[start] == "#" else -1
    return (start, start) if line_end < 0 else (line_end, text.index("#", line_end))


def printed(tokens: Tokens, source: Source) -> str:
    """Return the tokens as text, one a line: place, kind, value if it differs from the kind.

    >>> from bunraku.syntax.rules import DEFAULTS
    >>> from bunraku.syntax.lexer import tokenize
    >>> source = Source("$a = 'b'")
    >>> print(printed(tokenize(source, DEFAULTS), source))
    1:1 VARIABLE 'a'
    1:4 =
    1:6 STRING 'b'
    1:9 END
    """
    lines = []
    for token in tokens:
        line, column = source.position(token.start)
        value = token.value
        if isinstance(value, Finding):
            value = value.issue.code
        shown = "" if value is None or value == token.kind else f" {value!r}"
        lines.append(f"{line}:{column} {token.kind}{shown}")
    return "\n".join(lines)
