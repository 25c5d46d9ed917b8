"""Caches in memory that outlive a compile: each has a name and a limit, and can be emptied.

Every cache made here is registered; :mod:`bunraku.engine.kept` empties and measures them all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from bunraku.base.lazy_typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")
F = TypeVar("F", bound=Callable[..., Any])

DICTIONARIES: dict[str, BoundedCache[Any, Any]] = {}
FUNCTIONS: dict[str, Any] = {}
"""The functions with :func:`remembered` results, as :func:`functools.lru_cache` returns them."""


class BoundedCache(dict[K, V]):
    """A dictionary of results that can be made again; a full one is emptied before it takes more.

    >>> squares: BoundedCache[int, int] = BoundedCache("squares of the example", 2)
    >>> [squares.keep(number, number * number) for number in (1, 2, 3)], dict(squares)
    ([1, 4, 9], {3: 9})
    """

    __slots__ = ("most",)

    def __init__(self, name: str, most: int) -> None:
        super().__init__()
        self.most = most
        DICTIONARIES[name] = self

    def keep(self, key: K, value: V) -> V:
        """Add a result and return it."""
        if len(self) >= self.most:
            self.clear()
        self[key] = value
        return value


def remembered(most: int) -> Callable[[F], F]:
    """Decorate a function whose last results are kept, ``most`` of them at most."""

    def decorate(function: F) -> F:
        cached: Any = lru_cache(most)(function)
        FUNCTIONS[f"{function.__module__}.{function.__qualname__}"] = cached
        made: F = cached
        return made

    return decorate


def forget() -> None:
    """Empty all caches."""
    for dictionary in DICTIONARIES.values():
        dictionary.clear()
    for function in FUNCTIONS.values():
        function.cache_clear()


def sizes() -> dict[str, int]:
    """Return the number of entries of each cache by its name."""
    found = {name: len(dictionary) for name, dictionary in DICTIONARIES.items()}
    found.update({name: one.cache_info().currsize for name, one in FUNCTIONS.items()})
    return dict(sorted(found.items()))
