"""Quoted strings of Puppet 3: their ends and their escapes."""

from __future__ import annotations

import re
from typing import Final

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.dialects.puppet_3.issues import UNRECOGNISED_ESCAPE
from bunraku.syntax.rules import SyntaxRules
from bunraku.syntax.tokens import Finding

SINGLE_QUOTE_END: Final = lazy_pattern(r"'(?:\\\\)*+'|(?s:[^\\']|\\.)*+'")
DOUBLE_QUOTE_END: Final = lazy_pattern(r"[\"$](?:\\\\)*+[\"$]|(?s:[^\\\"$]|\\.)*+[\"$]")
"""The end of a piece of text; its first character is text even if the next one could end it."""
BACKSLASH: Final = lazy_pattern(r"\\(.)", re.DOTALL)

DOUBLE_QUOTE_ESCAPES: Final = {
    "\\": "\\", "$": "$", "'": "'", '"': '"', "r": "\r", "n": "\n", "t": "\t", "s": " ", "\n": "",
}  # fmt: skip


def single_quoted(text: str, dialect: SyntaxRules) -> str:
    r"""Return the value of the text between single quotes.

    >>> from bunraku.dialects.puppet_3_0 import PUPPET_3_0
    >>> from bunraku.dialects.puppet_3_8 import PUPPET_3_8
    >>> for dialect in (PUPPET_3_8.syntax, PUPPET_3_0.syntax):
    ...     print(single_quoted(r"a\'b\\c\d", dialect))
    a'b\\c\d
    a'b\c\d
    """
    if "\\" not in text:
        return text
    escapes = dialect.single_quote_escapes

    def value(match: re.Match[str]) -> str:
        return match[1] if match[1] in escapes else match[0]

    return BACKSLASH.sub(value, text)


def double_quoted(
    text: str, start: int, end: int, dialect: SyntaxRules, warnings: list[Finding]
) -> str:
    r"""Return the value of text in double quotes; unknown escapes stay and raise a warning.

    >>> from bunraku.dialects.puppet_3_8 import PUPPET_3_8
    >>> found = []
    >>> double_quoted(r"a\tb\q", 0, 6, PUPPET_3_8.syntax, found), [item.start for item in found]
    ('a\tb\\q', [4])
    """
    piece = text[start:end]
    if "\\" not in piece:
        return piece

    def value(match: re.Match[str]) -> str:
        character = match[1]
        if character == "\n" and not dialect.joins_lines_in_double_quotes:
            return match[0]
        found = DOUBLE_QUOTE_ESCAPES.get(character)
        if found is None:
            at = start + match.start()
            arguments: dict[str, object] = {"character": character}
            warnings.append(Finding(UNRECOGNISED_ESCAPE, arguments, at, at + 2))
            return match[0]
        return found

    return BACKSLASH.sub(value, piece)
