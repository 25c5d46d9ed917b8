"""The operators of Puppet 3: arithmetic on text that is numbers, comparison, matching, membership."""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import fmod, isnan, nan
from typing import Any, NoReturn

from bunraku.base.errors import PuppetError
from bunraku.dialects.puppet_3 import issues
from bunraku.dialects.puppet_3.values import NUMBERS, number, plain_text, small
from bunraku.runtime.operators import search
from bunraku.runtime.references import is_reference, reference_text
from bunraku.types.model import ClassType, ResourceType
from bunraku.values.default import DEFAULT
from bunraku.values.keys import pairs
from bunraku.values.regexp.regexp import Regexp

Value = Any
MOST_BITS = 100_000  # a shift that makes a longer number is refused, for it would take all memory

# -- arithmetic ----------------------------------------------------------------------------------


def numeric(word: str, calculate: Callable[[Any, Any], Any]) -> Callable[[Value, Value], Value]:
    """Return an operator on two numbers."""

    def apply(left: Value, right: Value) -> Value:
        if not COLLECTIONS.isdisjoint((left.__class__, right.__class__)):
            raise issues.NO_CONCATENATION()
        first, second = number(left), number(right)
        if first is None:
            raise issues.NOT_A_NUMBER(side="left", operator=word)
        if second is None:
            raise issues.NOT_A_NUMBER(side="right", operator=word)
        return calculate(first, second)

    return apply


COLLECTIONS = frozenset({list, dict})


def quotient(first: Any, second: Any) -> Any:
    """Evaluate ``/``: integers round toward negative infinity; floats may become endless."""
    if second == 0:
        if first.__class__ is int and second.__class__ is int:
            raise issues.DIVIDED_BY_ZERO()
        if first == 0 or isnan(first):
            return nan
        return float("inf") if first > 0 else float("-inf")
    if first.__class__ is int and second.__class__ is int:
        return first // second
    return first / second


def remainder(first: Any, second: Any) -> Any:
    """Evaluate ``%``: the sign is the divisor's."""
    if second == 0:
        raise issues.DIVIDED_BY_ZERO()
    if first.__class__ is int and second.__class__ is int:
        return first % second
    found = fmod(first, second)
    return found + second if second * found < 0 else found


def shifted(first: Any, second: Any, word: str, sign: int) -> int:
    """``<<`` and ``>>``: of integers only; the fraction of a Float is cut off."""
    if first.__class__ is float:
        raise issues.NOT_FOR_FLOATS(operator=word)
    steps = int(second) * sign
    if steps < 0:
        return int(first >> min(-steps, MOST_BITS))
    if first and steps > MOST_BITS:
        raise issues.NUMBER_TOO_LONG(bits=MOST_BITS)
    return int(first << min(steps, MOST_BITS))


add = numeric("+", operator.add)
subtract = numeric("-", operator.sub)
multiply = numeric("*", operator.mul)
divide = numeric("/", quotient)
modulo = numeric("%", remainder)
shift_left = numeric("<<", lambda first, second: shifted(first, second, "<<", 1))
shift_right = numeric(">>", lambda first, second: shifted(first, second, ">>", -1))


def negate(value: Value) -> Value:
    """Evaluate ``-value``."""
    found = number(value)
    if found is None:
        raise issues.MINUS_NOT_A_NUMBER(value=plain_text(value))
    return -found


# -- comparison ----------------------------------------------------------------------------------


def equal(left: Value, right: Value) -> bool:
    """``==``, a case option, a selector's: letter case apart, numbers by value, '' is undef."""
    first, second = small(left), small(right)
    first_number, second_number = number(first), number(second)
    if first_number is not None:
        first = first_number
    if second_number is not None:
        second = second_number
    if same(first, second):
        return True
    return (first is None and second == "") or (first == "" and second is None)


def same(left: Value, right: Value) -> bool:
    """Return whether values are equal in Ruby: 1 equals 1.0; arrays compare text and letter case."""
    first, second = left.__class__, right.__class__
    if first in NUMBERS and second in NUMBERS:
        return bool(left == right)
    if first is list and second is list:
        return len(left) == len(right) and all(map(same, left, right))
    if first is dict and second is dict:
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if first is not second:
        return False
    if isinstance(left, ResourceType | ClassType):
        return reference_text(left) == reference_text(right)
    return bool(left == right)


def unequal(left: Value, right: Value) -> bool:
    """Evaluate ``!=``."""
    return not equal(left, right)


def ordering(word: str, compare: Callable[[Any, Any], bool]) -> Callable[[Value, Value], bool]:
    """Evaluate ``<`` and other comparisons: numbers, otherwise text byte by byte."""

    def ordered(left: Value, right: Value) -> bool:
        first, second = number(left), number(right)
        first = left if first is None else first
        second = right if second is None else second
        if first.__class__ in NUMBERS and second.__class__ in NUMBERS:
            return compare(first, second)
        if first.__class__ is str and second.__class__ is str:
            return compare(as_bytes(first), as_bytes(second))
        if first is None and second is None:
            return compare(0, 0)
        raise issues.NOT_COMPARABLE(left=plain_text(left), operator=word, right=plain_text(right))

    return ordered


def as_bytes(value: str) -> bytes:
    """Return text normalised for comparison."""
    return value.encode("utf-8", "surrogateescape")


less = ordering("<", operator.lt)
less_equal = ordering("<=", operator.le)
greater = ordering(">", operator.gt)
greater_equal = ordering(">=", operator.ge)


# -- matching ------------------------------------------------------------------------------------


def matches(left: Value, right: Value, cell: list[Any] | None = None) -> bool:
    """Match with ``=~``: the right side is a regular expression, the left any value as text."""
    return search(right, "" if left is None else plain_text(left), cell)


def not_matches(left: Value, right: Value, cell: list[Any] | None = None) -> bool:
    """Evaluate ``!~``."""
    return not matches(left, right, cell)


def option_matches(value: Value, option: Value, cell: list[Any] | None = None) -> bool:
    """Return whether a value matches an option of a case or selector."""
    if option.__class__ is Regexp:
        return matches(value, option, cell)
    if option is DEFAULT:
        return bool(value == "default")
    return equal(value, option)


def contains(left: Value, right: Value, _cell: list[Any] | None = None) -> bool:
    """``left in right``: part of a string, element of an array, key of a hash; letter case counts."""
    if left.__class__ is not str:
        raise issues.IN_NOT_TEXT(left=plain_text(left))
    if right.__class__ is str:
        return left in right
    if right.__class__ is list:
        return left in [item for item in right if item.__class__ is str]
    if right.__class__ is dict:
        return left in {key for key, _ in pairs(right) if key.__class__ is str}
    if is_reference(right):
        return False
    raise issues.IN_NOT_A_COLLECTION(right=plain_text(right))


def unmatched_selector(value: Value) -> NoReturn:
    """Raise the error for a selector without a matching entry and without a default."""
    error: PuppetError = issues.NO_MATCHING_VALUE(value=plain_text(value))
    raise error.in_part("left")
