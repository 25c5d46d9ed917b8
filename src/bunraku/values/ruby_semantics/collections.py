"""Truth, equality, arrays and hashes as Ruby has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bunraku.values.keys import Key, from_key, pairs

Value = Any


def same(left: Value, right: Value) -> bool:
    """Ruby's ``==``: ``1 == 1.0``, letter case counts, arrays and hashes go deep.

    >>> same([1, "a"], [1.0, "a"]), same("a", "A"), same(1, True)
    (True, False, False)
    """
    kind, other = left.__class__, right.__class__
    if kind is not other:
        if (kind is int and other is float) or (kind is float and other is int):
            return bool(left == right)
        return False
    if kind is list:
        return len(left) == len(right) and all(map(same, left, right))
    if kind is dict:
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return bool(left == right)


def flatten(values: Iterable[Value]) -> list[Value]:
    """Arrays in arrays dissolved, at every depth."""
    found: list[Value] = []
    for value in values:
        if value.__class__ is list:
            found.extend(flatten(value))
        else:
            found.append(value)
    return found


def as_array(value: Value) -> list[Value]:
    """Ruby's ``Array()``: undef is empty, a hash is pairs, another value an array of one."""
    if value.__class__ is list:
        return list(value)
    if value is None:
        return []
    if value.__class__ is dict:
        return [[key, item] for key, item in pairs(value)]
    return [value]


def entries(value: dict[Any, Value]) -> Iterator[tuple[Value, Value]]:
    """Key and value of each entry, keys as Puppet values."""
    return ((from_key(key) if key.__class__ is Key else key, item) for key, item in value.items())


def truthy(value: Value) -> bool:
    """Return whether Ruby takes a value for true: all but undef and false."""
    return value is not None and value is not False
