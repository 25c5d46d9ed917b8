"""Regular expressions that are compiled when they are first used.

Compiling takes some two tenths of a millisecond each, often more than all that a module holds
besides, and a run uses few of those that it imports.
"""

from __future__ import annotations

import re

from bunraku.base.lazy_typing import Any

ATTRIBUTES = tuple(name for name in dir(re.Pattern) if not name.startswith("_"))


class LazyPattern:
    """Stands for a regular expression; with its first use it has the attributes of the compiled one."""

    def __init__(self, text: str, flags: int) -> None:
        self.text = text
        self.how = flags

    def __getattr__(self, name: str) -> Any:  # called only for missing attributes
        compiled = re.compile(self.text, self.how)
        vars(self).update({known: getattr(compiled, known) for known in ATTRIBUTES})
        return getattr(compiled, name)


def lazy_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    r"""Return a regular expression that is compiled when it is first used.

    >>> number = lazy_pattern("[0-9]+")
    >>> number.match("12a")[0], number.sub("n", "1 + 2"), number.pattern
    ('12', 'n + n', '[0-9]+')
    """
    lazy: Any = LazyPattern(text, flags)
    pattern: re.Pattern[str] = lazy
    return pattern
