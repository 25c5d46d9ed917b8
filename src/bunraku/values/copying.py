"""Copies of values, so changes do not affect kept values."""

from __future__ import annotations

from typing import Any

Value = Any


def copied(value: Value) -> Value:
    """Return a value with copied arrays and hashes.

    >>> before = [[1]]
    >>> copied(before)[0] is before[0]
    False
    """
    if value.__class__ is list:
        return [copied(item) for item in value]
    if value.__class__ is dict:
        return {key: copied(item) for key, item in value.items()}
    return value
