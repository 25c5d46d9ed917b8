"""``sprintf`` agrees with Ruby; formats of ``String.new`` beyond the recorded conversions."""

from __future__ import annotations

import pytest
from tests.support.recorded import cases

from bunraku.base.errors import PuppetError
from bunraku.types import model as m
from bunraku.types.convert.formats import format_value
from bunraku.types.convert.sprintf import sprintf


def test_recorded_formats_agree_with_ruby() -> None:
    """Generated formats and arguments; null where Ruby raised."""
    wrong = []
    for pattern, arguments, expected in cases("sprintf"):
        try:
            found: str | None = sprintf(pattern, arguments)
        except PuppetError:
            found = None
        if found != expected:
            wrong.append((pattern, arguments, found, expected))
    assert wrong == []


@pytest.mark.parametrize(
    ("pattern", "arguments", "text"),
    [
        ("%<a>03d %{b}|%-5<b>s", [{"a": 7, "b": "x"}], "007 x|x    "),
        ("%2$s %1$s", ["a", "b"], "b a"),
        ("%*d|%-*d|", [4, 7, 4, 7], "   7|7   |"),
        ("%s %p", [None, None], " nil"),
        ("%s", [{"a": [1, None]}], '{"a"=>[1, nil]}'),
        ("100%%", [], "100%"),
        ("%c%c", [65, "b"], "Ab"),
    ],
)
def test_sprintf(pattern: str, arguments: list[object], text: str) -> None:
    """Names, numbers, stars."""
    assert sprintf(pattern, arguments) == text


@pytest.mark.parametrize(
    ("pattern", "arguments"),
    [("%d", []), ("%", []), ("%y", [1]), ("%d", ["x"]), ("%<a>d", [{}]), ("%1$d %d", [1, 2])],
)
def test_sprintf_refuses(pattern: str, arguments: list[object]) -> None:
    """Missing arguments, unknown letters, wrong values, mixed styles."""
    with pytest.raises(PuppetError):
        sprintf(pattern, arguments)


def test_containers_over_several_lines() -> None:
    """``#`` breaks hashes, and containers within arrays."""
    assert format_value({"a": [1, [2]], "b": {}}, "%#h") == (
        "{\n  'a' => [1, [2]],\n  'b' => {\n\n  }\n}"
    )
    assert format_value([1, [2, [3]]], "%#a") == "[1,\n  [2,\n    [3]]]"


def test_types_have_two_formats() -> None:
    """A map refuses the other letters too."""
    with pytest.raises(PuppetError, match="'k'"):
        format_value(m.IntegerType(), {m.TypeType(): "%k"})
