"""The names of ``typing`` that the syntax and the commands use, without importing it.

Annotations are not evaluated when a program runs, so none of these names is needed then, and
``typing`` takes as long to import as the whole grammar. The type checker reads ``hints.pyi``, where
they have their real meanings. Modules that are not imported to check a manifest use ``typing``.
"""

from __future__ import annotations

from collections.abc import Callable


class Hint:
    """A name that only the type checker uses."""

    __slots__ = ()

    def __getitem__(self, _parameters: object) -> Hint:
        return self

    def __or__(self, _other: object) -> Hint:
        return self

    __ror__ = __or__


Any = ClassVar = Final = Literal = TextIO = Hint()
TYPE_CHECKING = False


class Protocol:
    """The base of classes that declare the methods of a protocol."""

    __slots__ = ()


class TypeVar:
    """A type that type checkers infer from the use of a function."""

    __slots__ = ()

    def __init__(self, _name: str, bound: object = None) -> None:
        """Accept a name and a bound, which only type checkers use."""


def dataclass_transform(**_rules: object) -> Callable[[object], object]:
    """Return a decorator that leaves its argument unchanged; only type checkers use it."""
    return lambda decorator: decorator
