"""Regular expressions that are compiled when they are first used.

Compiling takes some two tenths of a millisecond each, often more than all that a module holds
besides, and a run uses few of those that it imports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from bunraku.base.lazy_typing import Any

COMPILE = re.compile
ATTRIBUTES = tuple(name for name in dir(re.Pattern) if not name.startswith("_"))


class LazyPattern:
    """Stands for a regular expression; with its first use it has the attributes of the compiled one."""

    def __init__(self, text: str, flags: int) -> None:
        self.text = text
        self.how = flags

    def __getattr__(self, name: str) -> Any:  # called only for missing attributes
        compiled = COMPILE(self.text, self.how)
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


@contextmanager
def compiling_later() -> Iterator[None]:
    """Let the modules of others that are imported in the block compile their expressions when they use them.

    Their patterns are then those of :func:`lazy_pattern`. It is for imports that take long and whose
    expressions are rarely needed. Another thread may get such a pattern meanwhile, which is harmless.

    >>> with compiling_later():
    ...     later = re.compile("a+")
    >>> type(later).__name__, later.match("aab")[0], type(re.compile("a")).__name__
    ('LazyPattern', 'aa', 'Pattern')
    """
    vars(re).update(compile=lazy_pattern)
    try:
        yield
    finally:
        vars(re).update(compile=COMPILE)
