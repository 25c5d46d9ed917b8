"""Functions that put values in order: sort, compare, max, min, versioncmp."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cmp_to_key
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.core import issues
from bunraku.functions.declaration import FunctionTable
from bunraku.runtime.callables import Closure, Value
from bunraku.runtime.once import warn_once
from bunraku.runtime.state import Scope
from bunraku.types.relations.common import generalize
from bunraku.types.relations.infer import infer
from bunraku.types.ruby_semantics.values import to_s
from bunraku.types.text.display import display
from bunraku.values.ruby_semantics.collections import same
from bunraku.values.time.timespan import Timespan, seconds_beside
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.version import SemVer

function = FunctionTable()
Compare = Callable[[Value, Value], int]

NUMBERS = frozenset({int, float})
SECOND = 1_000_000_000


# -- order of two values ---------------------------------------------------------------------------
def text_key(text: str) -> bytes:
    """Return the sort key of strings: their bytes."""
    return text.encode("utf-8", "surrogateescape")


def sign(left: Any, right: Any) -> int:
    """Return -1, 0 or 1 as a value is less than, equal to or greater than another."""
    return int(left > right) - int(left < right)


def order(left: Value, right: Value) -> int | None:
    """Return the order of two values by Ruby's ``<=>``; None if it returns nil.

    >>> order(1, 2.5), order("b", "B"), order([1, 2], [1]), order(1, "a"), order(None, None)
    (-1, 1, 1, None, 0)
    """
    kind, other = left.__class__, right.__class__
    if kind is str and other is str:
        return sign(text_key(left), text_key(right))
    if kind in NUMBERS and other in NUMBERS:
        return sign(left, right)
    if kind is list and other is list:
        for one, two in zip(left, right, strict=False):
            found = order(one, two)
            if found != 0:
                return found
        return sign(len(left), len(right))
    if kind is SemVer and other is SemVer:
        return sign(left, right)
    times = time_order(left, right)
    if times is not None:
        return times
    return 0 if same(left, right) else None


def time_order(left: Value, right: Value) -> int | None:
    """Return the order of times of one kind, or of a time and a number of seconds."""
    kind, other = left.__class__, right.__class__
    if kind is other and kind in TIMES:
        return sign(left.total, right.total)
    if kind in TIMES and other in NUMBERS:
        return sign(seconds_beside(left.total, right), right)
    if kind in NUMBERS and other in TIMES:
        return sign(left, seconds_beside(right.total, left))
    return None


TIMES = frozenset({Timespan, Timestamp})


def must_order(name: str) -> Compare:
    """Return a comparison that refuses values without an order."""

    def compare_values(left: Value, right: Value) -> int:
        found = order(left, right)
        if found is None:
            shown = str(left) if left.__class__ is int else kind_of(left)
            raise issues.NOT_COMPARABLE(
                name=name, left=kind_of(left), right=kind_of(right), shown=shown
            )
        return found

    return compare_values


def kind_of(value: Value) -> str:
    """Return the type of a value without its limits, for messages."""
    return display(generalize(infer(value)))


def block_order(name: str, block: Closure) -> Compare:
    """Return the comparison that a lambda makes."""
    call = block.function

    def compare_values(left: Value, right: Value) -> int:
        result = call(left, right)
        if result.__class__ not in NUMBERS:
            raise issues.BLOCK_RESULT(name=name, actual=kind_of(result))
        return sign(result, 0)

    return compare_values


# -- sort ------------------------------------------------------------------------------------------
def sorted_values(values: list[Value], block: Closure | None) -> list[Value]:
    """Return the values in order; equal ones keep their order."""
    if block is not None:
        return merge_sorted(values, block_order("sort", block))
    kinds = {value.__class__ for value in values}
    if kinds <= {str}:
        return sorted(values, key=text_key)
    if kinds <= NUMBERS:
        return sorted(values)
    return sorted(values, key=cmp_to_key(must_order("sort")))


def merge_sorted(values: list[Value], compare_values: Compare) -> list[Value]:
    """Return the values in order; a lambda is called for the same pairs as in real Puppet.

    >>> merge_sorted([3, 1, 2], sign)
    [1, 2, 3]
    """
    if len(values) < 2:
        return list(values)
    middle = len(values) // 2
    left = merge_sorted(values[:middle], compare_values)
    right = merge_sorted(values[middle:], compare_values)
    found: list[Value] = []
    one = two = 0
    while one < len(left) and two < len(right):
        if compare_values(left[one], right[two]) <= 0:
            found.append(left[one])
            one += 1
        else:
            found.append(right[two])
            two += 1
    return found + left[one:] + right[two:]


@function("sort(String $string_value, Optional[Callable[2, 2]] &$block)", since="6.0.0")
def sort_letters(value: str, block: Closure | None) -> str:
    """Return the letters of a string in order.

    ```puppet
    sort('cab') == 'abc'
    ```
    """
    return "".join(sorted_values(list(value), block))


@function("sort(Array $array_value, Optional[Callable[2, 2]] &$block)")
def sort(value: list[Value], block: Closure | None) -> list[Value]:
    """Return the items of an array in order; a lambda may compare them.

    ```puppet
    sort([3, 1, 2]) == [1, 2, 3]
    sort([1, 2]) |$a, $b| { compare($b, $a) } == [2, 1]
    ```
    """
    return sorted_values(value, block)


# -- compare ---------------------------------------------------------------------------------------
@function("compare(Numeric $a, Numeric $b)", since="6.0.0")
def compare_numbers(left: float, right: float) -> int:
    """Return -1, 0 or 1 as a value is less than, equal to or greater than another.

    ```puppet
    compare(1, 2) == -1
    ```
    """
    return sign(left, right)


ASCII_CAPITALS = str.maketrans(
    {chr(letter): chr(letter + 32) for letter in range(ord("A"), ord("Z") + 1)}
)


@function("compare(String $a, String $b, Boolean $ignore_case = true)")
def compare_text(left: str, right: str, ignore_case: bool = True) -> int:
    """Compare strings; the case of ASCII letters is ignored by default.

    ```puppet
    compare('a', 'A') == 0
    compare('a', 'A', false) == 1
    ```
    """
    if ignore_case:
        left, right = left.translate(ASCII_CAPITALS), right.translate(ASCII_CAPITALS)
    return sign(text_key(left), text_key(right))


@function(
    "compare(SemVer $a, SemVer $b)",
    "compare(Numeric $a, Variant[Timespan, Timestamp] $b)",
    "compare(Timestamp $a, Variant[Timestamp, Numeric] $b)",
    "compare(Timespan $a, Variant[Timespan, Numeric] $b)",
)
def compare_others(left: Value, right: Value) -> int:
    """Versions and times; times also with numbers of seconds.

    ```puppet
    compare(SemVer('1.0.0'), SemVer('1.0.1')) == -1
    ```
    """
    return must_order("compare")(left, right)


COMPARABLE = "Variant[Numeric, String, SemVer, Timespan, Timestamp]"


@function(f"compare({COMPARABLE} $a, {COMPARABLE} $b, Any *$ignore_case)")
def refuse_comparison(left: Value, right: Value, *ignore_case: Value) -> int:
    """Raise an error for values that cannot be compared with each other."""
    if ignore_case and not left.__class__ is right.__class__ is str:
        raise issues.IGNORE_CASE()
    raise issues.DIFFERENT_ORDER(left=kind_of(left), right=kind_of(right))


@function("compare(Any $a, Any $b, Any *$ignore_case)")
def refuse_order(left: Value, right: Value, *_ignore_case: Value) -> int:
    """Raise an error for values without an order."""
    raise issues.NO_ORDER(left=kind_of(left), right=kind_of(right))


# -- max and min -----------------------------------------------------------------------------------
NUMERIC_TEXT = lazy_pattern(r"-?\d+([._eE]\d+)?\Z", re.ASCII)


def mixed_order(scope: Scope, name: str, warn: bool) -> Compare:
    """Return the order of values of any kinds: as numbers where both look so, else as text.

    Both ways are deprecated, as the result is hard to predict; but strings are text (``warn``).
    """

    def compare_values(left: Value, right: Value) -> int:
        one, two = to_s(left), to_s(right)
        if NUMERIC_TEXT.match(one) and NUMERIC_TEXT.match(two):
            warn_once(
                scope.compilation,
                "deprecations",
                f"{name}() converted strings to numbers; this is deprecated, convert them first",
            )
            return sign(float(one.replace("_", "")), float(two.replace("_", "")))
        if warn:
            warn_once(
                scope.compilation,
                "deprecations",
                f"{name}() compared values as strings; this is deprecated, convert them first",
            )
        return sign(text_key(one), text_key(two))

    return compare_values


def extreme(values: list[Value], name: str, compare_values: Compare) -> Value:
    """Return the greatest (or least) of the values; of equal ones the first."""
    if not values:
        raise issues.NO_ARGUMENTS(name=name)
    wanted = 1 if name == "max" else -1
    found = values[0]
    for value in values[1:]:
        if sign(compare_values(value, found), 0) == wanted:
            found = value
    return found


def choose(scope: Scope, name: str, values: list[Value], block: Closure | None) -> Value:
    """Return the greatest or least by a lambda, by the natural order of one kind, or somehow."""
    if block is not None:
        return extreme(values, name, block_order(name, block)) if values else None
    kinds = {value.__class__ for value in values}
    if kinds <= NUMBERS or (len(kinds) == 1 and kinds <= ORDERED):
        return extreme(values, name, must_order(name))
    return extreme(values, name, mixed_order(scope, name, warn=kinds != {str}))


ORDERED = frozenset({SemVer, Timespan, Timestamp})


@function("max(Array $values, Optional[Callable[2, 2]] &$block)", scope=True, since="6.0.0")
def max_of_array(scope: Scope, values: list[Value], block: Closure | None) -> Value:
    """Return the greatest item of an array; a lambda may compare them.

    ```puppet
    max([1, 3, 2]) == 3
    max(['a', 'bb']) |$a, $b| { compare($a.length, $b.length) } == 'bb'
    ```
    """
    return choose(scope, "max", values, block)


@function("max(Any *$values, Optional[Callable[2, 2]] &$block)", scope=True)
def max_of(scope: Scope, *values: Value, block: Closure | None) -> Value:
    """Return the greatest of the arguments.

    ```puppet
    max(1, 3, 2) == 3
    ```
    """
    return choose(scope, "max", list(values), block)


@function("min(Array $values, Optional[Callable[2, 2]] &$block)", scope=True, since="6.0.0")
def min_of_array(scope: Scope, values: list[Value], block: Closure | None) -> Value:
    """Return the smallest item of an array; a lambda may compare them.

    ```puppet
    min([2, 1, 3]) == 1
    ```
    """
    return choose(scope, "min", values, block)


@function("min(Any *$values, Optional[Callable[2, 2]] &$block)", scope=True)
def min_of(scope: Scope, *values: Value, block: Closure | None) -> Value:
    """Return the smallest of the arguments.

    ```puppet
    min(2, 1.5) == 1.5
    ```
    """
    return choose(scope, "min", list(values), block)


# -- versioncmp ------------------------------------------------------------------------------------
VERSION_PARTS = lazy_pattern(r"[-.]|\d+|[^-.\d]+", re.ASCII)
TRAILING_ZEROES = lazy_pattern(r"[.0]+\Z")


@function(
    "versioncmp(String $a, String $b, Boolean $ignore_trailing_zeroes = false)", since="0.24.8"
)
def versioncmp(left: str, right: str, ignore_trailing_zeroes: bool = False) -> int:
    """Return -1, 0 or 1 as a version is older than, the same as or newer than another.

    ```puppet
    versioncmp('1.10', '1.9') == 1
    versioncmp('1.0', '1.0.0', true) == 0
    ```
    """
    if ignore_trailing_zeroes:
        left, right = without_zeroes(left), without_zeroes(right)
    return version_order(left, right)


@remembered(4096)
def version_order(left: str, right: str) -> int:
    """Return the order of two versions; modules compare the same ones again and again."""
    for one, two in zip(VERSION_PARTS.findall(left), VERSION_PARTS.findall(right), strict=False):
        if one != two:
            return part_order(one, two)
    return sign(text_key(left), text_key(right))


def part_order(one: str, two: str) -> int:
    """Return the order of two unequal parts: ``-`` before ``.`` before all else; numbers by value.

    Parts that differ in letter case only are of the same order, and so are then the versions.
    """
    for separator in "-.":
        if one == separator:
            return -1
        if two == separator:
            return 1
    if one.isdecimal() and two.isdecimal() and one[0] != "0" and two[0] != "0":
        return sign(int(one), int(two))
    return sign(text_key(one.upper()), text_key(two.upper()))


def without_zeroes(version: str) -> str:
    """Return a version without dots and zeroes at the end of the part before the first ``-``.

    >>> without_zeroes("1.0.0-rc1.0")
    '1-rc1.0'
    """
    first, dash, rest = version.rstrip("-").partition("-")
    return TRAILING_ZEROES.sub("", first) + dash + rest
