"""The words for a string without an end: what opens it, and what follows."""

from __future__ import annotations

SHOWN = 5
"""The characters that Puppet's words show."""


def unclosed(text: str, at: int, opener: str) -> dict[str, object]:
    """Return the arguments of ``UNCLOSED_QUOTE`` for a string whose text begins at an offset.

    >>> unclosed("$a = 'b", 6, "'")
    {'opener': "'", 'quoted': '"\\'"', 'followed': 'b...'}
    """
    quoted = f"'{opener}'" if opener != "'" else '"\'"'
    return {"opener": opener, "quoted": quoted, "followed": followed_by(text, at)}


def followed_by(text: str, at: int) -> str:
    """Return the next characters of a text, with line breaks and tabs as escapes."""
    if at >= len(text):
        return "<eof>"
    following = text[at : at + SHOWN] + "..."
    return following.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
