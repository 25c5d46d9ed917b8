"""The tokens of a HOCON text, which together are the whole text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.formats.hocon import HoconError
from bunraku.values.ruby_semantics.numbers import parse_float, parse_integer

BLANK = "blank"
LINE = "line"
COMMENT = "comment"
STRING = "string"
NUMBER = "number"
BARE = "bare"
REFERENCE = "reference"
MARK = "mark"
END = "end"

PATTERN = r"""
    (?P<line>\n)
    | (?P<blank>(?:[^\S\n\x1c-\x1f])+)
    | (?P<comment>(?:\#|//)[^\n]*)
    | (?P<string>\"{3}[\s\S]*?\"{3,}|(?!\"{3})"(?:[^"\\\x00-\x1f\x7f-\x9f]|\\(?:["\\/bfnrt]|u[^"\n]{4}))*")
    | (?P<reference>\$\{(?:"(?:[^"\\\n]|\\.)*"|[^"{}\n])*\})
    | (?P<mark>\+=|[{}\[\]:,=])
    | (?P<number>[0-9-][0-9eE+.-]*)
    | (?P<bare>(?:(?!//)[^$"{}\[\]:=,+\#`^?!@*&\\\s])+)
"""
TOKEN = lazy_pattern(PATTERN, re.VERBOSE)


@record()
class Token:
    """A part of a text: what it is, its text and its line (from 1)."""

    kind: str
    text: str
    line: int

    @property
    def is_simple(self) -> bool:
        """Whether the token is a value, or a part of a key or of a value."""
        return self.kind in (STRING, NUMBER, BARE, REFERENCE)

    def shown(self) -> str:
        """Return the token as errors name it."""
        return "the end of the text" if self.kind == END else repr(self.text)


def tokens_of(text: str, *, comments: bool) -> list[Token]:
    """Return the tokens of a text and one for its end; HoconError for a text that has none.

    >>> [token.kind for token in tokens_of("a : 1 # one", comments=True)]
    ['bare', 'blank', 'mark', 'blank', 'number', 'blank', 'comment', 'end']
    """
    found = list(read_tokens(text, comments=comments))
    line = found[-1].line + found[-1].text.count("\n") if found else 1
    return [*found, Token(END, "", line)]


def read_tokens(text: str, *, comments: bool) -> Iterator[Token]:
    """Yield the tokens of a text."""
    position, line = 0, 1
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise unreadable(text[position], line)
        token = Token(str(match.lastgroup), match[0], line)
        if token.kind == COMMENT and not comments:
            raise HoconError("JSON has no comments", line)
        if token.kind == NUMBER and not is_hocon_number(token.text):
            token.kind = BARE
            if "+" in token.text:
                raise unreadable("+", line)
        yield token
        position = match.end()
        line += token.text.count("\n")


def is_hocon_number(text: str) -> bool:
    """Return whether a text is a number in Ruby."""
    if set(text).isdisjoint(".eE"):
        return parse_integer(text) is not None
    return parse_float(text) is not None


def unreadable(letter: str, line: int) -> HoconError:
    """Return the error for a character that begins no token."""
    if letter == '"':
        return HoconError("a string is not closed, or has a wrong escape sequence", line)
    return HoconError(f"unexpected {letter!r}; it must be in quotes", line)
