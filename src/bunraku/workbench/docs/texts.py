"""Operations on text as Ruby has them, where Python's differ."""

from __future__ import annotations

import re

from bunraku.base.lazy_patterns import lazy_pattern

BLANKS = "\0\t\n\v\f\r "
"""The characters that Ruby's ``strip`` removes: no others of Unicode."""
WHITE = " \t\n\r\f\v"
"""What Ruby's ``\\s`` matches."""
SPACES = lazy_pattern(r"\s+", re.ASCII)
QUOTED = lazy_pattern(r"^%[Qq]{(.*)}$", re.DOTALL | re.MULTILINE)
SIGN_OF_COMMENT = "#"


def stripped(text: str) -> str:
    """Return a text without the blanks around it.

    >>> stripped(" a\\u00a0 ")
    'a\\xa0'
    """
    return text.strip(BLANKS)


def ruby_lines(text: str) -> list[str]:
    """Return the lines of a text; empty ones at the end are dropped, as Ruby's ``split`` does.

    >>> ruby_lines("a\\r\\n\\nb\\n\\n")
    ['a', '', 'b']
    """
    lines = text.replace("\r\n", "\n").split("\n")
    while lines and not lines[-1]:
        lines.pop()
    return lines


def first_word(text: str) -> tuple[str | None, str | None]:
    """Return the first word of a text and what follows it; None for what is absent.

    >>> first_word(" name  the rest "), first_word("name"), first_word(" ")
    (('name', 'the rest'), ('name', None), (None, None))
    """
    words = SPACES.split(stripped(text), maxsplit=1)
    if not words[0]:
        return None, None
    return words[0], words[1] if len(words) > 1 else None


def without_sign(line: str) -> str:
    """Return a line of a comment without its sign and the blank behind that.

    >>> without_sign("## one"), without_sign("#  two")
    ('one', ' two')
    """
    text = line.lstrip(SIGN_OF_COMMENT)
    return text[1:] if text[:1] in WHITE else text


def without_indent(text: str, width: int) -> str:
    """Return a text without ``width`` columns of indentation, in the lines that have as many.

    >>> without_indent("  a\\n\\t b\\n c", 2)
    'a\\nb\\n c'
    """
    if not width:
        return text
    return "\n".join(
        [
            line[width:] if len(line) >= width and not line[:width].strip(" \t") else line
            for line in text.split("\n")
        ]
    )


def indent_of(line: str) -> str | None:
    """Return the blanks and tabs before the text of a line; None without a text."""
    text = line.lstrip(" \t")
    return None if not text or text[0] in WHITE else line[: len(line) - len(text)]


def scrubbed(text: str) -> str:
    """Return a description without the indentation of its lines, as Puppet prints it.

    The first line does not count, because it begins behind a quotation mark. A rule of
    ``Puppet::Util::Docs``; Puppet Strings also removes ``%q{…}``.

    >>> scrubbed("One.\\n    Two.\\n      Three. ")
    'One.\\nTwo.\\n  Three.'
    """
    quoted = QUOTED.search(text) if "{" in text else None
    if quoted:
        text = quoted[1]
    if "\n" not in stripped(text):
        return stripped(text)
    after_first = text.partition("\n")[2]
    indents = [found for found in map(indent_of, after_first.split("\n")) if found is not None]
    indent = min(indents, default="")
    lines = [line.removeprefix(indent).rstrip(BLANKS) for line in text.split("\n")]
    return "\n".join(lines).rstrip(BLANKS)
