"""Operations on text as Ruby has them, where Python's differ."""

from __future__ import annotations

import re

BLANKS = "\0\t\n\v\f\r "
"""The characters that Ruby's ``strip`` removes: no others of Unicode."""
LINE_END = re.compile(r"\r?\n")
INDENT = re.compile(r"[ \t]*(?=[^ \t\n\v\f\r])")


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
    lines = LINE_END.split(text)
    while lines and not lines[-1]:
        lines.pop()
    return lines


def first_word(text: str) -> tuple[str | None, str | None]:
    """Return the first word of a text and what follows it; None for what is absent.

    >>> first_word(" name  the rest "), first_word("name"), first_word(" ")
    (('name', 'the rest'), ('name', None), (None, None))
    """
    words = re.split(r"\s+", stripped(text), maxsplit=1, flags=re.ASCII)
    if not words[0]:
        return None, None
    return words[0], words[1] if len(words) > 1 else None


def scrubbed(text: str) -> str:
    """Return a description without the indentation of its lines, as Puppet prints it.

    The first line does not count, because it begins behind a quotation mark. A rule of
    ``Puppet::Util::Docs``; Puppet Strings also removes ``%q{…}``.

    >>> scrubbed("One.\\n    Two.\\n      Three. ")
    'One.\\nTwo.\\n  Three.'
    """
    quoted = re.search(r"^%[Qq]{(.*)}$", text, re.DOTALL | re.MULTILINE)
    if quoted:
        text = quoted[1]
    if "\n" not in stripped(text):
        return stripped(text)
    after_first = text.partition("\n")[2]
    indents = [
        found[0] for line in after_first.split("\n") if (found := INDENT.match(line)) is not None
    ]
    indent = min(indents, default="")
    if indent:
        text = re.sub(f"^{indent}", "", text, flags=re.MULTILINE)
    lines = [line.rstrip(BLANKS) for line in text.split("\n")]
    return "\n".join(lines).rstrip(BLANKS)
