"""``new``: conversions have the same results as in Puppet 7.23."""

from __future__ import annotations

import pytest
from tests.support.conversions import evaluate
from tests.support.recorded import cases

from bunraku.base.errors import PuppetError
from bunraku.types import model as m
from bunraku.types.convert.convert import new
from bunraku.types.value_text import to_text
from bunraku.values.time.timestamp import Timestamp


def test_recorded_conversions_agree_with_puppet() -> None:
    """Each expression's text, or that it fails."""
    wrong = []
    for expression, expected in cases("convert"):
        try:
            found: str | None = to_text(evaluate(expression))
        except PuppetError:
            found = None
        if found != expected:
            wrong.append((expression, found, expected))
    assert wrong == []


def test_the_result_is_checked_against_the_type() -> None:
    """``Integer[1, 5](9)`` is an error that names the type."""
    with pytest.raises(PuppetError, match=r"Integer\[1, 5\]"):
        new(m.IntegerType(1, 5), [9])


def test_no_new() -> None:
    """Types without values of their own."""
    with pytest.raises(PuppetError) as caught:
        new(m.CallableType(), [1])
    assert caught.value.code == "TYPE_HAS_NO_NEW"


def test_now_comes_from_the_caller() -> None:
    """``Timestamp()`` asks the clock that it is given."""
    assert new(m.TimestampType(), [], now=lambda: 1.5) == Timestamp(1_500_000_000)


def test_a_tree_leaves_its_source_alone() -> None:
    """Values are never changed, not even those that a path leads into."""
    inner = {"a": 1}
    made = new(m.HashType(), [[[["x"], inner], [["x", "b"], 2]], "tree"])
    assert made == {"x": {"a": 1, "b": 2}}
    assert inner == {"a": 1}
