"""Whether Ruby code spells out a secret: its translation holds the text, so it is not kept on disk."""

from __future__ import annotations

import re

CALL = re.compile(r"\bSensitive\s*(?:\.|::)\s*new\b")
NAME = re.compile(r"\b[a-z_]\w*\b")
QUOTES = ("'", '"', "`", "%", "<<", "?")
"""Signs that begin, or may begin, literal text."""


def holds_secret(text: str) -> bool:
    r"""Return whether literal text of Ruby code may become a Sensitive value.

    This is so where the arguments of ``Sensitive.new`` hold literal text, or a name that is set from
    literal text anywhere in the file.

    >>> holds_secret("Sensitive.new('a')"), holds_secret("x = 'a'\nSensitive.new(x)")
    (True, True)
    >>> holds_secret("Sensitive.new(value)")
    False
    """
    return any(is_literal(arguments_at(text, call.end()), text) for call in CALL.finditer(text))


def is_literal(code: str, text: str) -> bool:
    """Return whether code holds literal text, itself or in a name that is set from some."""
    if any(quote in code for quote in QUOTES):
        return True
    for name in set(NAME.findall(code)):
        for setting in re.finditer(rf"\b{name}\s*(?:\|\||\+|<)?(?:=(?![=~>])|<)([^\n]*)", text):
            if any(quote in setting[1] for quote in QUOTES):
                return True
    return False


def arguments_at(text: str, start: int) -> str:
    """Return the arguments of a call: up to the closing parenthesis, or to the end of the line.

    >>> arguments_at("f(a(1),\\n 2) + 3", 1), arguments_at("f a, 1\\n2", 1)
    ('(a(1),\\n 2)', ' a, 1')
    """
    if not text.startswith("(", start):
        return text[start:].partition("\n")[0]
    depth = 0
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if not depth:
            return text[start : at + 1]
    return text[start:]
