"""Puppet code for a page: pieces of its lines with their kinds, from the tokens of the lexer."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.cli.pages.model import Code
from bunraku.syntax.lexer import tokenize
from bunraku.syntax.rules import DEFAULTS
from bunraku.syntax.tokens import comments_in

Piece = tuple[str, str]
"""Text, and the name of its style (empty for none)."""
STYLES = {
    "VARIABLE": "variable",
    "NUMBER": "number",
    "BOOLEAN": "number",
    "CLASSREF": "type",
    "REGEX": "regexp",
} | dict.fromkeys(("STRING", "DQPRE", "DQMID", "DQPOST", "HEREDOC"), "string")
WORDS = frozenset({"NAME", "WORD"})


class Highlighter:
    """Reads each text once; a page shows many pieces of the same file."""

    def __init__(self) -> None:
        self.known: dict[str, list[tuple[int, int, str]]] = {}

    def spans(self, text: str) -> list[tuple[int, int, str]]:
        """Return start, end and style of the tokens of a text; those that have a style."""
        found = self.known.get(text)
        if found is None:
            found = self.known[text] = sorted(styled(text))
        return found

    def lines(self, code: Code) -> Iterator[tuple[int, list[Piece]]]:
        """Yield number and pieces of each line that the code reaches.

        >>> list(Highlighter().lines(Code("$a = 1")))
        [(1, [('$a', 'variable'), (' = ', ''), ('1', 'number')])]
        """
        source = Source(code.text)
        end = len(code.text) if code.end is None else code.end
        first, last = source.line(code.start), source.line(max(code.start, end - 1))
        spans = self.spans(code.text) if code.puppet else []
        for number in range(first, last + 1):
            text = source.line_text(number)
            start = source.offset(number, 0)
            yield number, pieces(text, start, spans, code.marked)


def styled(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the spans of tokens and comments that have a style; none after a mistake in the text."""
    try:
        tokens = tokenize(Source(text), DEFAULTS)
    except PuppetError:
        return
    for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True):
        style = STYLES.get(kind, "")
        if not style and kind not in WORDS and kind.isalpha() and kind.islower():
            style = "keyword"
        if style and end > start:
            yield start, end, style
    for start, end in comments_in(tokens.comment_runs, text):
        yield start, end, "comment"


def pieces(
    text: str, start: int, spans: list[tuple[int, int, str]], marked: tuple[int, int] | None
) -> list[Piece]:
    """Return the pieces of a line that begins at an offset."""
    end = start + len(text)
    cuts = {start, end}
    near = spans[max(0, bisect_left(spans, (start,)) - 1) : bisect_left(spans, (end,))]
    inside = [span for span in near if span[1] > start]
    for span in inside:
        cuts |= {max(span[0], start), min(span[1], end)}
    low, high = marked or (end, end)
    cuts |= {at for at in (low, high) if start < at < end}
    edges = sorted(cuts)
    found = []
    for left, right in pairwise(edges):
        names = [style for begin, stop, style in inside if begin <= left and right <= stop][-1:]
        if low <= left and right <= high:
            names.append("marked")
        found.append((text[left - start : right - start], " ".join(names)))
    return found
