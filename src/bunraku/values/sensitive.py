"""A value that must not be shown."""

from __future__ import annotations

from typing import Any

from bunraku.values.keys import as_key


class Sensitive:
    """Wraps a secret; its text and its repr never show the value.

    >>> Sensitive("swordfish")
    Sensitive [value redacted]
    """

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return "Sensitive [value redacted]"

    def __eq__(self, other: object) -> bool:
        return other.__class__ is Sensitive and bool(self.value == other.value)

    def __hash__(self) -> int:
        return hash(("Sensitive", as_key(self.value)))
