"""PN: strings, numbers and forms for which no real Puppet was at hand."""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.syntax import nodes
from bunraku.syntax.parser.parser import parse
from bunraku.syntax.pn import FORMS, quoted, ruby_float, to_pn


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", '"plain"'),
        ('a"b\\c', '"a\\"b\\\\c"'),
        ("\t\n\r", '"\\t\\n\\r"'),
        ("\x00\x01\x1f\x7f", '"\\o000\\o001\\o037\x7f"'),
        ("é😀", '"é😀"'),
    ],
)
def test_strings(text: str, expected: str) -> None:
    assert quoted(text) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1.0, "1.0"),
        (0.1, "0.1"),
        (123456789012345.0, "123456789012345.0"),
        (1e15, "1.0e+15"),
        (-1e15, "-1.0e+15"),
        (1.23e15, "1.23e+15"),
        (1e16, "1.0e+16"),
        (1.5e300, "1.5e+300"),
        (0.0001, "0.0001"),
        (0.00001, "1.0e-05"),
        (1.25e-10, "1.25e-10"),
    ],
)
def test_floats(value: float, expected: str) -> None:
    assert ruby_float(value) == expected


def test_every_node_has_its_notation() -> None:
    inner = {nodes.ResourceBody, nodes.Query, nodes.Parameter}
    classes = {
        item
        for item in vars(nodes).values()
        if isinstance(item, type) and issubclass(item, nodes.Node) and item is not nodes.Node
    }
    assert classes - inner == set(FORMS)


def test_a_program_may_be_one_expression() -> None:
    assert to_pn(parse(Source("1 + 1")).program) == "(+ 1 1)"
