"""Regular expressions that are compiled when they are first asked for.

Compiling takes some two tenths of a millisecond each, and most texts need few of those that their
module has.
"""

from __future__ import annotations

import re


class Pattern:
    """A regular expression among the attributes of a class; its objects compile it when asked.

    >>> class Words:
    ...     number = Pattern("[0-9]+")
    >>> words = Words()
    >>> words.number.match("12a")[0], vars(words)
    ('12', {'number': re.compile('[0-9]+')})
    """

    __slots__ = ("flags", "name", "text")

    def __init__(self, text: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.text = text
        self.flags = flags

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type) -> re.Pattern[str]:
        found = re.compile(self.text, self.flags)
        vars(instance)[self.name] = found  # from now on this is what the attribute is
        return found
