"""The lazy sequences that ``reverse_each``, ``step`` and ``tree_each`` make."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator as PythonIterator
from typing import Any


class Iterator:
    """A sequence made anew each time it is walked; ``element_type`` is the type of its items.

    >>> list(Iterator(lambda: iter([3, 2, 1])))
    [3, 2, 1]
    """

    __slots__ = ("element_type", "start")

    def __init__(self, start: Callable[[], PythonIterator[Any]], element_type: Any = None) -> None:
        self.start = start
        self.element_type = element_type

    def __iter__(self) -> PythonIterator[Any]:
        return self.start()
