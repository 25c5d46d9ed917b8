"""Operators of Puppet 3's future parser, where they differ: integers have no limit."""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import isnan
from typing import Any

from bunraku.runtime import element_access as puppet_8_access
from bunraku.runtime import issues, operators
from bunraku.runtime.operators import NUMBERS, checked, kind_name, number
from bunraku.runtime.state import Scope

Value = Any
MOST_BITS = 1_000_000


def unlimited(
    sign: str, work_out: Callable[[Any, Any], Any], modern: Callable[[Value, Value], Value]
) -> Callable[[Value, Value], Value]:
    """Return an operator on numbers whose integers may become as large as they like."""

    def apply(left: Value, right: Value) -> Value:
        if left.__class__ is int and right.__class__ is int:
            return work_out(left, right)
        if left.__class__ is not str and left.__class__ not in NUMBERS:
            return modern(left, right)
        found = work_out(number(left, "left"), number(right, "right"))
        return checked(found, sign) if found.__class__ is float else found

    return apply


add = unlimited("+", operator.add, operators.add)
subtract = unlimited("-", operator.sub, operators.subtract)
multiply = unlimited("*", operator.mul, operators.multiply)


def divide(left: Value, right: Value) -> Value:
    """Evaluate ``/``."""
    dividend, divisor = number(left, "left"), number(right, "right")
    if dividend.__class__ is int and divisor.__class__ is int and divisor != 0:
        return dividend // divisor
    return operators.divide(dividend, divisor)


def modulo(left: Value, right: Value) -> Value:
    """Evaluate ``%``: on integers only."""
    dividend, divisor = number(left, "left"), number(right, "right")
    if divisor.__class__ is float and dividend.__class__ is int:
        raise issues.OPERATOR_NOT_APPLICABLE(operator="%", left=kind_name(dividend)).in_part("left")
    return operators.modulo(dividend, divisor)


def negate(value: Value) -> Value:
    """Evaluate ``-value``."""
    return -number(value, "operator")


def shift_left(left: Value, right: Value) -> Value:
    """Evaluate ``<<``."""
    if left.__class__ is list or left.__class__ is dict:
        return operators.shift_left(left, right)
    return shift(left, right, "<<", 1)


def shift_right(left: Value, right: Value) -> Value:
    """Evaluate ``>>``."""
    return shift(left, right, ">>", -1)


def shift(left: Value, right: Value, sign: str, direction: int) -> Value:
    """Shift an integer left (direction 1) or right (-1)."""
    value, distance = number(left, "left"), number(right, "right")
    if value.__class__ is not int or isnan(distance) or abs(distance) == float("inf"):
        return operators.shift(value, distance, sign, direction)
    steps = int(distance) * direction
    if steps < 0:
        return value >> min(-steps, MOST_BITS)
    if value and steps + value.bit_length() > MOST_BITS:
        raise issues.NUMERIC_OVERFLOW(operator=sign, value=f"a value of over {MOST_BITS} bits")
    return value << steps if value else 0


# -- access ----------------------------------------------------------------------------------------


def access(left: Value, key: Value) -> Value:
    """Evaluate ``left[key]``."""
    if left.__class__ is str:
        check_index(key)
    return puppet_8_access.access(left, key)


def access_many(scope: Scope, left: Value, *keys: Value) -> Value:
    """Evaluate ``left[key, key]``."""
    if left.__class__ is str:
        for key in keys:
            check_index(key)
    return puppet_8_access.access_many(scope, left, *keys)


def check_index(key: Value) -> None:
    """The index of a string is a number, or text that is one."""
    if key.__class__ is not int:
        number(key, "key")
