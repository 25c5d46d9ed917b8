"""The value of the literal ``default``."""

from __future__ import annotations


class Default:
    """The type of ``DEFAULT``; there is one instance."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "default"


DEFAULT = Default()
