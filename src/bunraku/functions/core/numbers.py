"""Functions on numbers; strings are still converted to numbers, with a warning."""

from __future__ import annotations

import math
import re

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.core import issues
from bunraku.functions.declaration import FunctionTable
from bunraku.runtime.once import warn_once
from bunraku.runtime.state import Scope
from bunraku.values.ruby_semantics.numbers import parse_float, to_f, to_i

function = FunctionTable()

# As Ruby's ^ and $ are those of a line, one good line is enough.
DECIMAL_LINE = lazy_pattern(r"^-?\d+\.\d+$", re.ASCII | re.MULTILINE)
INTEGER_LINE = lazy_pattern(r"^-?\d+$", re.ASCII | re.MULTILINE)


def warn_of_text(scope: Scope, name: str) -> None:
    """Warn that a function got a string instead of a number."""
    warn_once(
        scope.compilation,
        "deprecations",
        f"{name}() converted a string to a number; this is deprecated, convert it first",
    )


@function("abs(Numeric $val)", since="6.0.0")
def absolute(value: float) -> float:
    """The distance of a number from zero.

    ```puppet
    abs(-3) == 3
    (-2.5).abs == 2.5
    ```
    """
    return abs(value)


@function("abs(String $val)", scope=True)
def absolute_text(scope: Scope, text: str) -> float:
    """Return the result for the number that a string contains (deprecated)."""
    warn_of_text(scope, "abs")
    value = absolute_of_text(text)
    if value is None:
        raise issues.NOT_A_NUMBER(name="abs", text=text, expected="a decimal number")
    return value


def absolute_of_text(text: str) -> float | None:
    """Return the distance from zero of a text with a line that is a decimal number, else None.

    >>> absolute_of_text("-1.5"), absolute_of_text("-2"), absolute_of_text("1e3")
    (1.5, 2, None)
    """
    if DECIMAL_LINE.search(text):
        return abs(to_f(text))
    if INTEGER_LINE.search(text):
        return abs(to_i(text))
    return None


def whole(name: str, value: float) -> int:
    """Return a number rounded up or down; infinities and NaN cannot be."""
    if not math.isfinite(value):
        raise issues.NOT_FINITE(name=name, text=value)
    return math.ceil(value) if name == "ceiling" else math.floor(value)


def whole_of_text(scope: Scope, name: str, text: str) -> int:
    """Return the number that a string holds rounded up or down (deprecated)."""
    warn_of_text(scope, name)
    value = parse_float(text)
    if value is None:
        raise issues.NOT_A_NUMBER(name=name, text=text, expected="a number")
    return whole(name, value)


@function("ceiling(Numeric $val)", since="6.0.0")
def ceiling(value: float) -> int:
    """Return the next integer that is not less than a number.

    ```puppet
    ceiling(1.2) == 2
    ceiling(-1.2) == -1
    ```
    """
    return whole("ceiling", value)


@function("ceiling(String $val)", scope=True)
def ceiling_text(scope: Scope, text: str) -> int:
    """Return the result for the number that a string contains (deprecated)."""
    return whole_of_text(scope, "ceiling", text)


@function("floor(Numeric $val)", since="6.0.0")
def floor(value: float) -> int:
    """Return the next integer that is not greater than a number.

    ```puppet
    floor(1.8) == 1
    floor(-1.2) == -2
    ```
    """
    return whole("floor", value)


@function("floor(String $val)", scope=True)
def floor_text(scope: Scope, text: str) -> int:
    """Return the result for the number that a string contains (deprecated)."""
    return whole_of_text(scope, "floor", text)


@function("round(Numeric $val)", since="6.0.0")
def round_(value: float) -> int:
    """Return the nearest integer; halves go away from zero.

    ```puppet
    round(2.5) == 3
    round(-2.5) == -3
    ```
    """
    if isinstance(value, int):
        return value
    # Real Puppet adds a half and cuts, so the number just below 0.5 becomes 1.
    return whole("ceiling", value - 0.5) if value < 0 else whole("floor", value + 0.5)
