"""HOCON documents: changes keep comments and layout, as in the gem hocon."""

from __future__ import annotations

import pytest

from bunraku.formats.hocon import HoconError
from bunraku.formats.hocon_document import hocon_text, read_document
from support.hocon_documents import changed, recorded


def test_changes_are_those_of_the_gem() -> None:
    """``tests/record/record_hocon_documents.py`` records them, and tries others for a seed."""
    rows = recorded()
    wrong = [(change, expected) for change, expected in rows if changed(*change) != expected]
    assert wrong == []
    assert len(rows) > 900
    assert sum(expected is None for _, expected in rows) > 100


def test_an_include_by_file_stays_whole() -> None:
    """The gem loses the last parenthesis."""
    document = read_document('include file("x")\na : 1\n', json=False)
    assert document.with_value("a", "2").text == 'include file("x")\na : 2\n'


@pytest.mark.parametrize(
    ("text", "json", "line"),
    [
        ("a : 1\nb : {\n", False, 3),
        ('a : 1\nb : "x\n', False, 2),
        ("a : 1\nb 2", False, 2),
        ('{"a": 1,\n"a": 2}', True, 2),
        ('{"a": 1\n# one\n}', True, 2),
    ],
)
def test_errors_have_the_line(text: str, json: bool, line: int) -> None:
    with pytest.raises(HoconError) as caught:
        read_document(text, json=json)
    assert caught.value.line == line


@pytest.mark.parametrize("value", ["\1", {5: 1}, {"a": ["\x7f"]}, object()])
def test_values_without_a_text_are_refused(value: object) -> None:
    with pytest.raises(HoconError):
        hocon_text(value)


@pytest.mark.parametrize("text", ["a : " + "[" * 100_000, "a {" * 100_000, "a : ${" * 50_000])
def test_deep_texts_are_refused(text: str) -> None:
    with pytest.raises(HoconError):
        read_document(text, json=False)
