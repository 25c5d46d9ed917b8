"""The piece of source that a message is about: the line, and a caret below the place."""

from __future__ import annotations

from bunraku.base.source import Span

WIDTH = 110
SYMBOLS = {**{code: chr(0x2400 + code) for code in range(32)}, 9: " ", 127: "␡"}
"""Control characters, and what a terminal gets for them."""


def visible(text: str) -> str:
    r"""Return the text with control characters shown as symbols.

    >>> visible("a\tb\x1b[2J")
    'a b␛[2J'
    """
    return text if text.isprintable() else text.translate(SYMBOLS)


def columns(text: str) -> int:
    """Return the number of terminal columns that the text takes.

    >>> columns("日本")
    4
    """
    if text.isascii():
        return len(text)
    from unicodedata import (
        combining,
        east_asian_width,
    )  # a library of its own, which few texts need

    return sum(
        0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text
    )


def excerpt(span: Span) -> tuple[int, str, str] | None:
    """Return line number, text and caret line; None if the source is empty.

    A long line is cut to the surroundings of the place.

    >>> from bunraku.base.source import Source
    >>> excerpt(Source("$a = 1\\n$b = $c + 1\\n").span(12, 14))
    (2, '$b = $c + 1', '     ^^')
    """
    line, column = span.position
    text = span.source.line_text(line)
    if not text.strip():
        return None
    first = column - 1
    if len(text) <= WIDTH and text.isascii() and text.isprintable():
        first = min(first, len(text))
        return line, text, " " * first + "^" * max(1, min(span.end - span.start, len(text) - first))
    last = min(max(first + span.end - span.start, first + 1), max(len(text), first + 1))
    begin = max(0, first - WIDTH // 2) if len(text) > WIDTH else 0
    shown = text[begin : begin + WIDTH]
    last = min(last, begin + max(len(shown), first - begin + 1))
    before = "…" if begin else ""
    after = "…" if begin + WIDTH < len(text) else ""
    indent = columns(before) + columns(visible(text[begin:first]))
    carets = "^" * max(1, columns(visible(text[first:last])))
    return line, before + visible(shown) + after, " " * indent + carets
