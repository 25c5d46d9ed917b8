"""Arithmetic and order of values that are neither numbers nor collections: times, versions, URIs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from bunraku.base.errors import BlamedPart
from bunraku.runtime import issues
from bunraku.values.binary import Binary
from bunraku.values.time.timespan import Timespan, nanoseconds_of, seconds_beside
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import SemVer

Value = Any
KINDS = frozenset({Timespan, Timestamp, SemVer})
JOINED = frozenset({URI, Binary})
TIMES = frozenset({Timespan, Timestamp})
NUMBERS = frozenset({int, float})
ToNumber = Callable[[Value, BlamedPart], Any]


def takes(left: Value, right: Value) -> bool:
    """Return whether this module handles the operands: a left one of its kinds, or a right time."""
    return left.__class__ in KINDS or (right.__class__ in TIMES and left.__class__ in NUMBERS)


def takes_sum(left: Value, right: Value) -> bool:
    """Return whether this module adds the operands of a ``+``: it also joins URIs and bytes."""
    return takes(left, right) or left.__class__ in JOINED


def kind_name(value: Value) -> str:
    """Return the name of a value of this module's kinds for messages."""
    if value.__class__ in NUMBERS:
        return "an Integer" if value.__class__ is int else "a Float"
    name = value.__class__.__name__
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def not_applicable(operator: str, left: Value) -> NoReturn:
    """Raise the error for a left operand that the operator does not accept."""
    raise issues.OPERATOR_NOT_APPLICABLE(operator=operator, left=kind_name(left)).in_part("left")


def not_applicable_when(operator: str, left: Value, right: Value) -> NoReturn:
    """Raise the error for a pair of operands that the operator does not accept."""
    raise issues.OPERATOR_NOT_APPLICABLE_WHEN(
        operator=operator, left=kind_name(left), right=kind_name(right)
    ).in_part("left")


def span(value: Value, to_number: ToNumber) -> int:
    """Return a Timespan, or a number of seconds, as nanoseconds."""
    if value.__class__ is Timespan:
        return int(value.total_nanoseconds)
    return nanoseconds_of(to_number(value, "right"))


def nanoseconds(value: Timestamp) -> int:
    """Return a Timestamp as nanoseconds since the epoch."""
    return value.total


def add(left: Value, right: Value, to_number: ToNumber) -> Value:
    """Evaluate ``+``."""
    if left.__class__ is URI:
        return add_uri(left, right)
    if left.__class__ is Binary:
        return add_binary(left, right)
    if left.__class__ not in TIMES and right.__class__ not in TIMES:
        not_applicable("+", left)
    stamps = (left.__class__ is Timestamp) + (right.__class__ is Timestamp)
    if stamps == 2:
        raise issues.SUM_OF_TIMESTAMPS()
    if stamps == 0:
        return Timespan(span(left, to_number) + span(right, to_number))
    stamp, other = (left, right) if left.__class__ is Timestamp else (right, left)
    return Timestamp(nanoseconds(stamp) + span(other, to_number))


def add_uri(left: URI, right: Value) -> URI:
    """Return a URI joined with a relative one."""
    if right.__class__ is not URI and right.__class__ is not str:
        raise issues.SUM_WITH_URI()
    return left.merge(right)


def add_binary(left: Binary, right: Value) -> Binary:
    """Return bytes joined with bytes."""
    if right.__class__ is not Binary:
        raise issues.SUM_WITH_BINARY()
    return Binary(left.data + right.data)


def subtract(left: Value, right: Value, to_number: ToNumber) -> Value:
    """Evaluate ``-``."""
    if left.__class__ not in TIMES and right.__class__ not in TIMES:
        not_applicable("-", left)
    if left.__class__ is Timestamp:
        if right.__class__ is Timestamp:
            return Timespan(nanoseconds(left) - nanoseconds(right))
        return Timestamp(nanoseconds(left) - span(right, to_number))
    if right.__class__ is Timestamp:
        if left.__class__ is Timespan:
            raise issues.TIMESPAN_MINUS_TIMESTAMP()
        not_applicable_when("-", left, right)
    return Timespan(span(left, to_number) - span(right, to_number))


def multiply(left: Value, right: Value, to_number: ToNumber) -> Value:
    """Evaluate ``*``: a Timespan by a number."""
    if right.__class__ is Timespan and left.__class__ in NUMBERS:
        left, right = right, left
    if left.__class__ is not Timespan:
        if right.__class__ in TIMES and left.__class__ in NUMBERS:
            not_applicable_when("*", left, right)
        not_applicable("*", left)
    if right.__class__ in TIMES:
        raise issues.TIMESPAN_FACTOR(right=kind_name(right))
    return Timespan(int(span(left, to_number) * to_number(right, "right")))


def divide(left: Value, right: Value, to_number: ToNumber) -> Value:
    """Evaluate ``/``: a Timespan by a number, or by another Timespan."""
    if left.__class__ is not Timespan:
        if right.__class__ in TIMES and left.__class__ in NUMBERS:
            not_applicable_when("/", left, right)
        not_applicable("/", left)
    if right.__class__ is Timestamp:
        raise issues.TIMESPAN_DIVISOR()
    divisor = span(right, to_number) if right.__class__ is Timespan else to_number(right, "right")
    if divisor == 0:
        raise issues.DIV_BY_ZERO().in_part("right")
    if right.__class__ is Timespan:
        return span(left, to_number) / divisor
    return Timespan(int(span(left, to_number) // divisor))


def modulo(left: Value, right: Value, to_number: ToNumber) -> Value:
    """Evaluate ``%``: the seconds of a Timespan by a number."""
    if left.__class__ is not Timespan:
        if right.__class__ in TIMES and left.__class__ in NUMBERS:
            not_applicable_when("%", left, right)
        not_applicable("%", left)
    if right.__class__ in TIMES:
        raise issues.TIMESPAN_MODULUS(right=kind_name(right))
    divisor = to_number(right, "right")
    if divisor.__class__ is float:
        not_applicable_when("%", left, divisor)
    if divisor == 0:
        raise issues.DIV_BY_ZERO().in_part("right")
    return int(left.total_seconds % divisor)


def negate(value: Value) -> Value:
    """Evaluate ``-value``: of a Timespan."""
    if value.__class__ is not Timespan:
        raise issues.OPERATOR_NOT_APPLICABLE(operator="-", left=kind_name(value))
    return Timespan(-value.total_nanoseconds)


def compare(left: Value, right: Value) -> int | None:
    """Negative, zero or positive; None for values without an order among them."""
    if left.__class__ is SemVer and right.__class__ is SemVer:
        return int(bool(right < left)) - int(bool(left < right))
    kind, other = left.__class__, right.__class__
    if kind in TIMES and other in NUMBERS:
        return order(seconds_beside(left.total, right), right)
    if kind in NUMBERS and other in TIMES:
        return order(left, right.as_number())
    return order(left.total, right.total) if kind in TIMES and kind is other else None


def order(left: float, right: float) -> int:
    """Negative, zero or positive, as two numbers compare."""
    return int(left > right) - int(left < right)
