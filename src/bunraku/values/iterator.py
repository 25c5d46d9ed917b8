"""The lazy sequences that ``reverse_each``, ``step`` and ``tree_each`` make."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Iterator as PythonIterator
from itertools import islice
from typing import Any


class Iterator:
    """A sequence whose items are computed during iteration.

    ``start`` makes them. ``element_type`` is their type, or a function of the iterator that
    computes it on first use. ``of_pairs`` marks the entries of a hash, which a lambda of two
    parameters gets as key and value. One that is walked ``once`` goes on where the last walk
    stopped: at its end nothing is left. The others start again, except with :meth:`resume`.

    >>> numbers = Iterator(lambda: [3, 2, 1])
    >>> next(numbers.resume()), list(numbers.resume()), list(numbers)
    (3, [2, 1], [3, 2, 1])
    """

    __slots__ = ("found_type", "given_type", "of_pairs", "once", "running", "start")

    def __init__(
        self,
        start: Callable[[], Iterable[Any]],
        element_type: Any = None,
        of_pairs: bool = False,
        once: bool = False,
    ) -> None:
        self.start = start
        self.given_type = element_type
        self.found_type: Any = None
        self.of_pairs = of_pairs
        self.once = once
        self.running: PythonIterator[Any] | None = None

    @property
    def element_type(self) -> Any:
        """The type of the items; None if unknown."""
        if self.found_type is None:
            given = self.given_type
            self.found_type = given(self) if callable(given) else given
        return self.found_type

    def __iter__(self) -> PythonIterator[Any]:
        return self.resume() if self.once else iter(self.start())

    def resume(self) -> PythonIterator[Any]:
        """Return the items after the last consumed one."""
        if self.running is None:
            self.running = iter(self.start())
        return self.running

    def step(self, size: int) -> Iterator:
        """Return every ``size``-th of the items.

        >>> list(Iterator(lambda: "abcdef").step(4))
        ['a', 'e']
        """
        if size == 1:
            return self
        source = self.start()
        if isinstance(source, range):
            return Iterator(lambda: source[::size], self.given_type, once=True)
        return Iterator(lambda: islice(self.resume(), 0, None, size), self.find_type, once=True)

    def reverse_each(self) -> Iterator:
        """Return the items from the last to the first.

        >>> list(Iterator(lambda: "abcdef").step(4).reverse_each())
        ['e', 'a']
        """
        source = self.start()
        if isinstance(source, range):
            return Iterator(lambda: source[::-1], self.given_type, once=True)
        if self.once:
            rest = list(self)
            return Iterator(lambda: reversed(rest), self.find_type)
        return Iterator(lambda: reversed(list(self)), self.find_type)

    def find_type(self, _derived: Iterator) -> Any:
        """Return the type of the items, for an iterator made from this one."""
        return self.element_type
