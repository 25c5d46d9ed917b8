"""Tags of resources: which texts PuppetDB accepts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

ASCII_TAGS = re.compile(r"(?:[a-z0-9_][a-z0-9_:.-]*\n)*")
PATTERN = r"[[\p{L}&&[^\p{Lu}]]\p{N}_][[\p{L}&&[^\p{Lu}]]\p{N}_:.-]*"
"""The pattern in PuppetDB's message: letters that are not upper-case, digits, ``_``, and ``:.-``."""


def first_invalid_tag(tags: Iterable[str]) -> str | None:
    """Return a tag that PuppetDB refuses; None if there is none.

    >>> first_invalid_tag(["file", "a::b-c.d", "größe"]), first_invalid_tag(["ok", "Upper"])
    (None, 'Upper')
    """
    found = list(tags)
    if ASCII_TAGS.fullmatch("".join([f"{tag}\n" for tag in found])):
        return None
    return next((tag for tag in found if not is_tag(tag)), None)


def is_tag(text: str) -> bool:
    """Return whether a text can be a tag."""
    return bool(text) and text[0] not in ":.-" and all(map(is_tag_character, text))


def is_tag_character(character: str) -> bool:
    """Return whether a tag can have a character after its first one."""
    category = unicodedata.category(character)
    return (category[0] in "LN" and category != "Lu") or character in "_:.-"
