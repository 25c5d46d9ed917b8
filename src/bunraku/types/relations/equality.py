"""Puppet's ``==`` on any two values."""

from __future__ import annotations

from typing import Any

from bunraku.types.model import Type
from bunraku.types.relations.assignable import ascii_lower, is_assignable
from bunraku.values.pcore import PcoreObject
from bunraku.values.time.timespan import Timespan, seconds_beside
from bunraku.values.time.timestamp import Timestamp

Value = Any

NUMBERS = frozenset({int, float})
TIMES = frozenset({Timespan, Timestamp})


def equal(left: Value, right: Value) -> bool:
    """Return whether values are equal: text ignores ASCII case, numbers compare by value.

    >>> equal("A", "a"), equal(1, 1.0), equal(True, 1), equal([1, "x"], [1.0, "X"])
    (True, True, False, True)
    """
    kind = left.__class__
    other = right.__class__
    if kind is int and other is int:
        return bool(left == right)
    if kind is str:
        if other is not str:
            return False
        if left == right:
            return True
        if len(left) != len(right):
            return False
        if left.isascii():
            return bool(left.lower() == right.lower()) and right.isascii()
        return ascii_lower(left) == ascii_lower(right)
    if kind is int or kind is float:
        if other in NUMBERS:
            return bool(left == right)
        return other in TIMES and bool(seconds_beside(right.total, left) == left)
    if kind in TIMES and other in NUMBERS:
        return bool(seconds_beside(left.total, right) == right)
    if kind is not other:
        return (
            isinstance(left, Type)
            and isinstance(right, Type)
            and is_assignable(left, right)
            and is_assignable(right, left)
        )
    if kind is list:
        return len(left) == len(right) and all(map(equal, left, right))
    if kind is dict:
        return equal_hashes(left, right)
    if isinstance(left, Type):
        return left is right or (is_assignable(left, right) and is_assignable(right, left))
    if kind is PcoreObject:
        return bool(left.equals(right))
    return bool(left == right)


def equal_hashes(left: dict[Any, Value], right: dict[Any, Value]) -> bool:
    """Return whether hashes have as many keys and equal values; missing keys count as undef.

    A key that only one hash has is undef in the other, as in Puppet. Order is ignored.
    """
    if len(left) != len(right):
        return False
    return all(equal(right.get(key), item) for key, item in left.items())


def same(left: Value, right: Value) -> bool:
    """Return whether array ``-`` treats two values as one.

    The rule is that of :func:`equal`, but letter case counts, and types must be written alike.

    >>> same("a", "A"), same([1], [1.0]), same(True, 1)
    (False, True, False)
    """
    kind = left.__class__
    if kind is list:
        return right.__class__ is list and len(left) == len(right) and all(map(same, left, right))
    if kind is dict:
        return (
            right.__class__ is dict
            and left.keys() == right.keys()
            and all(same(item, right[key]) for key, item in left.items())
        )
    if kind is str or isinstance(left, Type):
        return kind is right.__class__ and bool(left == right)
    return equal(left, right)
