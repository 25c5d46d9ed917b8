"""Arithmetic and order of the values that are neither numbers nor collections: times, versions."""

from __future__ import annotations

from typing import Any

from bunraku.values.version import SemVer

Value = Any


def takes(left: Value, right: Value) -> bool:
    """Whether one side is a time."""
    return False


def compare(left: Value, right: Value) -> int | None:
    """Negative, zero or positive; None for values that have no order."""
    if left.__class__ is SemVer and right.__class__ is SemVer:
        return (left > right) - (left < right)
    return None
