"""Lengths of time."""

from __future__ import annotations

import pytest
from tests.support.recorded import cases

from bunraku.base.errors import PuppetError
from bunraku.runtime import operators
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp

OPERATORS = {
    "+": operators.add,
    "-": operators.subtract,
    "*": operators.multiply,
    "/": operators.divide,
    "%": operators.modulo,
}


def span(seconds: float) -> Timespan:
    """So many seconds."""
    return Timespan.from_seconds(seconds)


def test_recorded_formats_agree_with_puppet() -> None:
    """``strftime`` with generated formats."""
    wrong = [
        (seconds, pattern, found, text)
        for kind, seconds, pattern, _, text in cases("strftime")
        if kind == "Timespan" and (found := span(seconds).format(pattern)) != text
    ]
    assert wrong == []


def test_parts() -> None:
    """What a length consists of."""
    value = span(90061.5)
    assert (value.days, value.hours, value.minutes, value.seconds) == (1, 1, 1, 1)
    assert (value.milliseconds, value.total_hours, value.negative) == (500, 25, False)
    assert span(-1.5).total_seconds == -2
    assert str(span(-90061.5)) == "-1-01:01:01.5"
    assert Timespan.from_fields(hours=26, negative=True) == span(-26 * 3600)


@pytest.mark.parametrize(
    ("operator", "left", "right", "result"),
    [  # recorded from Puppet 7.23
        ("+", span(1), 2.5, span(3.5)),
        ("+", 1, span(2), span(3)),
        ("-", 5, span(1), span(4)),
        ("*", span(3), 1.5, span(4.5)),
        ("/", span(-7), 2, span(-3.5)),
        ("/", Timespan(-7), 2, Timespan(-4)),
        ("/", Timespan(7), 2.0, Timespan(3)),
        ("/", span(7), span(2), 3.5),
        ("%", span(-7.5), 3, 1),
        ("+", Timestamp(0), span(5), Timestamp.from_seconds(5)),
        ("-", Timestamp(10), Timestamp(1), Timespan(9)),
        ("-", Timestamp.from_seconds(10), 3, Timestamp.from_seconds(7)),
    ],
)
def test_arithmetic(operator: str, left: object, right: object, result: object) -> None:
    """Times with times and numbers."""
    found = OPERATORS[operator](left, right)
    assert found == result
    assert found.__class__ is result.__class__


@pytest.mark.parametrize(
    ("operator", "left", "right"),
    [
        ("*", span(3), span(3)),
        ("/", 6, span(2)),
        ("%", span(7), 2.0),
        ("%", span(7), span(2)),
        ("/", span(3), 0),
        ("+", Timestamp(0), Timestamp(1)),
        ("-", span(1), Timestamp(1)),
        ("-", 10, Timestamp(1)),
        ("*", Timestamp(0), 2),
    ],
)
def test_arithmetic_refuses(operator: str, left: object, right: object) -> None:
    """What Puppet refuses."""
    with pytest.raises(PuppetError):
        OPERATORS[operator](left, right)


def test_comparison() -> None:
    """Times compare with their kind and with numbers."""
    assert operators.less_equal(span(1), 1.0)
    assert operators.less(1, span(2))
    with pytest.raises(PuppetError):
        operators.less(span(1), Timestamp(1))
    assert span(1) < span(2)
