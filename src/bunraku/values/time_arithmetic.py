"""What ``+ - * / % < ==`` mean for times."""

from __future__ import annotations

from typing import Any

from bunraku.values import issues
from bunraku.values.time_format import SECOND
from bunraku.values.timespan import Timespan, nanoseconds_of
from bunraku.values.timestamp import Timestamp

Time = Timespan | Timestamp


def is_number(value: Any) -> bool:
    """Whether a value is an Integer or Float."""
    return value.__class__ is int or value.__class__ is float


def kind(value: Any) -> str:
    """What errors call an operand."""
    names = {int: "an Integer", float: "a Float", Timespan: "a Timespan", Timestamp: "a Timestamp"}
    return names.get(value.__class__, f"a {value.__class__.__name__}")


def refuse(operator: str, left: Any, right: Any) -> Exception:
    """The error for operands that do not go together."""
    return issues.NOT_A_TIME_OPERAND(operator=operator, left=kind(left), right=kind(right))


def amount(value: Any) -> int:
    """A number of seconds or a time as nanoseconds."""
    return value.total if isinstance(value, Timespan | Timestamp) else nanoseconds_of(value)


def calculate(operator: str, left: Any, right: Any) -> Time | float:
    """The value of an operator of which a side is a time, the other a time or a number.

    >>> calculate("+", 1, Timespan(5 * 10**9))
    0-00:00:06.0
    >>> calculate("-", Timestamp(10**10), Timestamp(10**9))
    0-00:00:09.0
    """
    match operator:
        case "+":
            return add(left, right)
        case "-":
            return subtract(left, right)
        case "*":
            return multiply(left, right)
        case "/":
            return divide(left, right)
        case "%":
            return modulo(left, right)
        case _:
            raise refuse(operator, left, right)


def add(left: Any, right: Any) -> Time:
    """``+``: two points in time cannot be added."""
    stamps = (left.__class__ is Timestamp) + (right.__class__ is Timestamp)
    if stamps == 2:
        raise refuse("+", left, right)
    total = amount(left) + amount(right)
    return Timestamp(total) if stamps else Timespan(total)


def subtract(left: Any, right: Any) -> Time:
    """``-``: between two points lies a length; a point minus a length is a point."""
    total = amount(left) - amount(right)
    if left.__class__ is Timestamp:
        return Timespan(total) if right.__class__ is Timestamp else Timestamp(total)
    if right.__class__ is Timestamp:
        raise refuse("-", left, right)
    return Timespan(total)


def multiply(left: Any, right: Any) -> Timespan:
    """``*``: a length and a number in either order."""
    if is_number(left):
        left, right = right, left
    if left.__class__ is not Timespan or not is_number(right):
        raise refuse("*", left, right)
    return Timespan(int(left.total * right))


def divide(left: Any, right: Any) -> Timespan | float:
    """``/``: a length by a number is a length, by a length a Float."""
    if left.__class__ is not Timespan or not (is_number(right) or right.__class__ is Timespan):
        raise refuse("/", left, right)
    if right.__class__ is Timespan:
        if right.total == 0:
            raise issues.TIME_ZERO_DIVISION(divisor="zero")
        return float(left.total / right.total)
    if right == 0:
        raise issues.TIME_ZERO_DIVISION(divisor="zero")
    return Timespan(left.total // right if right.__class__ is int else int(left.total / right))


def modulo(left: Any, right: Any) -> int:
    """``%``: what is left of the whole seconds, an Integer."""
    if left.__class__ is not Timespan or right.__class__ is not int:
        raise refuse("%", left, right)
    if right == 0:
        raise issues.TIME_ZERO_DIVISION(divisor="zero")
    return int(left.total // SECOND % right)


def compare(left: Any, right: Any) -> int | None:
    """-1, 0 or 1 for two times of a kind, or a time and a number; None when not comparable.

    >>> compare(Timespan(10**9), 2), compare(Timespan(0), Timestamp(0))
    (-1, None)
    """
    if left.__class__ is not right.__class__ and not (is_number(left) or is_number(right)):
        return None
    one = left.total if isinstance(left, Timespan | Timestamp) else left * SECOND
    other = right.total if isinstance(right, Timespan | Timestamp) else right * SECOND
    return (one > other) - (one < other)
