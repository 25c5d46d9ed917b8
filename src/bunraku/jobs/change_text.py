"""The lines of two texts that differ, with what is invisible made visible."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from unicodedata import category

Line = tuple[str, str]
"""The mark of a line (``+``, ``-``, ``@``, or blank), and its text."""
CONTEXT = 2
"""Lines that are the same, around those that differ."""
INVISIBLE = frozenset({"Cf", "Zl", "Zp", "Zs", "Co", "Cn"})
"""Categories of characters that look like blanks or like nothing; the blank itself is not meant."""
BLANKS = re.compile(r"\s+")
NO_END = "(no line feed at the end)"


def text_changes(old: str, new: str) -> Iterator[Line]:
    r"""Yield the lines of a unified difference between two texts.

    Lines that differ in blanks alone are written with signs for tabs and for blanks at the end.

    >>> list(text_changes("a\n\tb\n", "a \n\tb"))[1:]
    [('-', 'a'), ('-', '→b'), ('+', 'a·'), ('+', '→b'), ('', '(no line feed at the end)')]
    """
    before, after = pieces(old), pieces(new)
    lines = list(unified_diff(before, after, lineterm="", n=CONTEXT))[2:]
    marked = [(line[0], line[1:]) for line in lines if line[0] in "+-"]
    alike = lookalikes(marked)
    for line in lines:
        mark, text = line[0], line[1:]
        if mark == "@":
            yield mark, line
            continue
        is_last = text.endswith("\n")
        text = text.removesuffix("\n")
        if mark == " ":
            yield "", with_signs(text)
            continue
        yield mark, with_signs(text, blanks=BLANKS.sub("", text) in alike)
        if is_last:
            yield "", NO_END


def pieces(text: str) -> list[str]:
    r"""Return the lines of a text; the last one keeps a line feed as a sign that the text has none.

    >>> pieces("a\nb\n"), pieces("a\nb"), pieces("")
    (['a', 'b'], ['a', 'b\n'], [])
    """
    if not text:
        return []
    lines = text.split("\n")
    if lines[-1] == "":
        return lines[:-1]
    return [*lines[:-1], f"{lines[-1]}\n"]


def lookalikes(marked: Sequence[Line]) -> set[str]:
    """Return the lines without their blanks that both sides have."""
    sides = ({BLANKS.sub("", text) for mark, text in marked if mark == one} for one in "+-")
    return set.intersection(*sides)


def spelled(texts: Sequence[str]) -> list[str]:
    """Return the printed values of both sides; if they look alike, with signs for blanks."""
    alike = len(texts) == 2 and BLANKS.sub("", texts[0]) == BLANKS.sub("", texts[1])
    return [
        "\n".join(with_signs(line, blanks=alike) for line in text.split("\n")) for text in texts
    ]


def with_signs(text: str, *, blanks: bool = False) -> str:
    r"""Return a line with codes for invisible characters, and with ``blanks``, signs for tabs and blanks at the end.

    >>> with_signs("a\u200bb"), with_signs("\tx  ", blanks=True)
    ('a\\u{200B}b', '→x··')
    """
    if blanks:
        bare = text.rstrip(" ")
        text = bare.replace("\t", "→") + "·" * (len(text) - len(bare))
    if text.isascii():
        return text
    return "".join(
        f"\\u{{{ord(char):04X}}}" if char != " " and category(char) in INVISIBLE else char
        for char in text
    )
