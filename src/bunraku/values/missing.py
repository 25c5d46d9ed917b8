"""The mark for a missing key, and how functions signal one."""

from __future__ import annotations

from typing import Any


class Missing:
    """The class of :data:`MISSING`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING: Any = Missing()


class KeyNotFound(Exception):
    """Raised by a backend function through ``$context.not_found``."""
