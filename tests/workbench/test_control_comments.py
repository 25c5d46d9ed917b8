"""Comments that suppress findings."""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.syntax.lexer import tokenize
from bunraku.syntax.rules import DEFAULTS
from bunraku.workbench.control_comments import control_comments


def read(text):
    source = Source(text)
    return control_comments(source, tokenize(source, DEFAULTS).comment_runs)


def test_a_comment_after_code_is_for_its_line():
    found = read("$a = 1\n$b = 2 # lint:ignore:x because of y\n$c = 3\n")
    assert [found.reason("x", line) for line in (1, 2, 3)] == [None, "because of y", None]
    assert found.unmatched == []


def test_a_block_ends_with_endignore():
    found = read("# lint:ignore:x lint:ignore:y\n$a = 1\n# lint:endignore\n$b = 1\n")
    assert [found.reason("y", line) for line in (1, 2, 3, 4)] == ["", "", "", None]


def test_blocks_nest():
    found = read(
        "# lint:ignore:x\n# lint:ignore:y\n$a = 1\n# lint:endignore\n$b = 1\n# lint:endignore\n"
    )
    assert [found.reason("x", line) is not None for line in (3, 5)] == [True, True]
    assert [found.reason("y", line) is not None for line in (3, 5)] == [True, False]


def test_a_comment_in_a_string_is_text():
    assert read("$a = '# lint:ignore:x'\n").reasons == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# lint:endignore\n", "lint:endignore without a lint:ignore:CHECK before it"),
        ("\n# lint:ignore:x\n", "lint:ignore:x without a lint:endignore after it"),
    ],
)
def test_unmatched_comments_are_reported(text, message):
    assert [one[1] for one in read(text).unmatched] == [message]
