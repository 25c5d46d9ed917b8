"""Escape sequences in strings and heredocs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.syntax.rules import SyntaxRules

SINGLE_QUOTE_ESCAPE = lazy_pattern(r"\\([\\'])")
BACKSLASH = lazy_pattern(r"\\([^\r\n]|\r?\n)")
UNICODE = lazy_pattern(
    r"((?:[^\\]|^)(?:\\\\)*)\\u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})", re.MULTILINE
)


Escapes = Mapping[str, str]
"""Meanings of the characters after a backslash; ``u`` is present where ``\\u`` is allowed."""

DOUBLE_QUOTE_ESCAPES: Escapes = {
    "\\": "\\", "$": "$", "'": "'", '"': '"', "r": "\r", "n": "\n", "t": "\t", "s": " ", "u": "\\u",
    "\n": "", "\r\n": "",
}  # fmt: skip
SWITCHES: Mapping[str, Escapes] = {
    "t": {"t": "\t"}, "r": {"r": "\r"}, "n": {"n": "\n"}, "s": {"s": " "}, "u": {"u": "\\u"},
    "$": {"$": "$"}, "L": {"\n": "", "\r\n": ""},
}  # fmt: skip
"""The escapes that each letter after the ``/`` of a heredoc tag turns on."""


class ImpossibleCharacter(Exception):
    """A ``\\u`` escape names an invalid character."""


def double_quote_escapes(dialect: SyntaxRules) -> Escapes:
    """Return the escapes that double-quoted strings have."""
    if dialect.joins_lines_in_double_quotes:
        return DOUBLE_QUOTE_ESCAPES
    return {key: text for key, text in DOUBLE_QUOTE_ESCAPES.items() if not key.endswith("\n")}


def switched_escapes(switches: str) -> Escapes:
    """Return the escapes of a heredoc whose tag has these switches."""
    escapes = {"\\": "\\"}
    for switch in switches:
        escapes |= SWITCHES[switch]
    return escapes


def unescape_single(text: str) -> str:
    r"""Return the value of the text between single quotes.

    >>> print(unescape_single(r"a\'b\\c\d"))
    a'b\c\d
    """
    return SINGLE_QUOTE_ESCAPE.sub(r"\1", text) if "\\" in text else text


def unescape(text: str, escapes: Escapes, unknown: Callable[[str, int], None] | None) -> str:
    r"""Return the value of a piece of text; call ``unknown`` for each unknown escape.

    Unicode escapes come first and may make other escapes, as in Puppet: ``\u005cn`` is a line end.

    >>> unescape(r"a\tb\u00e9\q", DOUBLE_QUOTE_ESCAPES, None)
    'a\tbé\\q'
    """
    if "u" in escapes and "\\u" in text:
        count = 1
        while count:
            text, count = UNICODE.subn(unicode_character, text)

    def value(match: re.Match[str]) -> str:
        character = match[1]
        if unknown is not None and (character == "u" or character not in escapes):
            unknown(character, match.start())
        return escapes.get(character, match[0])

    return BACKSLASH.sub(value, text)


def unicode_character(match: re.Match[str]) -> str:
    """Return the character that a ``\\u`` escape names, after the text before it."""
    code = int(match[2] or match[3], 16)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise ImpossibleCharacter
    return match[1] + chr(code)
