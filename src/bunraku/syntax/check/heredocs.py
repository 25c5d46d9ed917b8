"""Texts in heredocs whose tag names their syntax: what JSON and Base64 are to Puppet.

Puppet asks Ruby's JSON and Base64; these are their rules where they are wider or narrower than
Python's (comments, any character after a backslash, white space in Base64).
"""

from __future__ import annotations

import re

from bunraku.base.lazy_typing import Final

JSON_PIECE: Final = r"""(?:[ \t\r\n]|/\*.*?\*/|//[^\n]*\n)*
    (?P<piece>[\[\]{},:]
      | "(?:[^"\\\x00-\x1f]|\\u[0-9A-Fa-f]{4}|\\[^u\x00-\x1f])*"
      | -?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9.A-Za-z_])
      | (?:true|false|null)\b
      | \Z)"""
JSON_NESTING: Final = 100


def json_mistake(text: str) -> int | None:
    """The offset of what is no JSON in a text; None when it is JSON.

    >>> json_mistake('{"a": [1, 2] /* more */}'), json_mistake('{"a": [1, ]}')
    (None, 10)
    """
    token = re.compile(JSON_PIECE, re.DOTALL | re.VERBOSE)
    at = 0
    open_brackets: list[str] = []
    state = "value"
    while True:
        found = token.match(text, at)
        if found is None:
            return at
        piece, here, at = found["piece"], found.start("piece"), found.end()
        if not piece:
            return None if state == "after" and not open_brackets else here
        following = next_state(state, piece, open_brackets)
        if following is None or len(open_brackets) > JSON_NESTING:
            return here
        state = following


def next_state(state: str, piece: str, open_brackets: list[str]) -> str | None:
    """What may follow a token of JSON; None where the token may not stand."""
    if piece in "]}":
        pair = "[" if piece == "]" else "{"
        fits = state in ("after", "first" if piece == "]" else "first key")
        if not fits or not open_brackets or open_brackets.pop() != pair:
            return None
        return "after"
    if state == "after":
        if piece != "," or not open_brackets:
            return None
        return "value" if open_brackets[-1] == "[" else "key"
    if state == "colon":
        return "value" if piece == ":" else None
    if state in ("key", "first key"):
        return "colon" if piece[0] == '"' else None
    if piece in ",:":
        return None
    if piece in "[{":
        open_brackets.append(piece)
        return "first" if piece == "[" else "first key"
    return "after"


def is_base64(text: str) -> bool:
    """Whether a text is Base64, apart from white space.

    >>> is_base64("YW Jj"), is_base64("YWJ"), is_base64("YR==")
    (True, False, False)
    """
    import base64  # heredocs of this kind are few

    joined = re.sub(r"[ \t\r\n\f\v]+", "", text)
    try:
        decoded = base64.b64decode(joined, validate=True)
    except ValueError:
        return False
    return base64.b64encode(decoded).decode("ascii") == joined
