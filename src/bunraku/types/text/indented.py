"""Long types over several lines."""

from __future__ import annotations

import re

from bunraku.base.lazy_patterns import lazy_pattern

# A string, a pattern, or one character: brackets and commas in the first two are plain text.
PIECE = lazy_pattern(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(?<![^\[ ])/(?:[^/\\]|\\.)*/|.""", re.DOTALL
)
OPENING, CLOSING = "[{", "]}"


def indented(text: str, width: int = 100, level: int = 0) -> str:
    """Return a type's text; brackets that do not fit on a line get one line per item.

    >>> print(indented("Struct[{'a' => Array[Integer], 'b' => Pattern[/[,]/]}]", 30))
    Struct[{
      'a' => Array[Integer],
      'b' => Pattern[/[,]/]
    }]
    """
    pieces = PIECE.findall(text)
    if len(text) + 2 * level < width or ("[" not in pieces and "{" not in pieces):
        return text
    start = next(place for place, piece in enumerate(pieces) if piece in OPENING)
    end = max(place for place, piece in enumerate(pieces) if piece in CLOSING)
    while pieces[start + 1] in OPENING and pieces[end - 1] in CLOSING and one_inside(pieces, start):
        start, end = start + 1, end - 1
    margin = "  " * (level + 1)
    items = [indented(item, width, level + 1) for item in split(pieces[start + 1 : end])]
    inside = ",\n".join(margin + item for item in items)
    opening, closing = "".join(pieces[: start + 1]), "".join(pieces[end:])
    return f"{opening}\n{inside}\n{'  ' * level}{closing}"


def one_inside(pieces: list[str], start: int) -> bool:
    """Return whether the bracket at an offset contains only another bracket."""
    depth = 0
    for place in range(start + 1, len(pieces)):
        depth += (pieces[place] in OPENING) - (pieces[place] in CLOSING)
        if depth == 0:
            return pieces[place + 1] in CLOSING
    return False


def split(pieces: list[str]) -> list[str]:
    """Return the items, split at the commas outside inner brackets."""
    items, depth = [""], 0
    for piece in pieces:
        depth += (piece in OPENING) - (piece in CLOSING)
        if piece == "," and depth == 0:
            items.append("")
        else:
            items[-1] += piece
    return [item.strip() for item in items]
