"""The names that node definitions have in a catalog."""

from __future__ import annotations

import re

PATTERN_PREFIX = "__node_regexp__"
SPELLED_OUT = str.maketrans(
    {"(": "lp", "?": "qu", "<": "lt", ">": "gt", "!": "ex", "=": "eq", ")": "rp"}
)


def node_name(kind: str, text: str) -> str:
    """Return the name that a node definition has in the catalog.

    Groups that begin with ``(?`` are spelled out: patterns that differ only there are different nodes.

    >>> node_name("regexp", "^web\\\\d+"), node_name("name", "Web1.Example.com")
    ('__node_regexp__webd', 'web1.example.com')
    >>> node_name("regexp", "(?<!a)sync")
    '__node_regexp__lpqultexarpsync'
    """
    if kind == "default":
        return "default"
    if kind == "name":
        return text.lower()
    spelled = re.sub(r"\(\?[^)]*\)", lambda found: found[0].translate(SPELLED_OUT), text.lower())
    return PATTERN_PREFIX + plain_pattern(spelled)


def plain_pattern(text: str) -> str:
    """Return the part of a pattern that stays in a name: letters, digits, ``_``, ``-``, ``:``, ``.``.

    >>> plain_pattern("^.(?:Web)\\\\d+")
    ':webd'
    """
    kept = "".join(c for c in text.lower() if (c.isalnum() and c.isascii()) or c in "_-:.")
    return kept.lstrip(".")
