"""``docs/types.md``: it has all types, its examples are true, its messages are those given."""

from __future__ import annotations

import re

import pytest

from bunraku.engine.compile import evaluate_code
from bunraku.engine.request import Request
from bunraku.types.names import TYPES
from tools.update_types_page import PAGE, cases, ours, page

TEXT = PAGE.read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in TEXT.splitlines()
    if line.startswith("| `")
]


def test_every_type_is_named():
    named = {row[0].strip("| `") for row in ROWS}
    internal = {"Annotation", "Pcore", "RichDataKey"}
    internal |= {name for name in TYPES if name.startswith("Puppet::")}
    assert set(TYPES) - internal <= named
    assert len(named) == 46  # and Target, with the types of tasks, is the 47th


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip("| `"))
def test_examples_are_true(row):
    assert evaluate_code(Request(code=row[2].strip("`")), print) is True


def test_messages_are_current():
    assert page() == TEXT, "run tests/tools/update_types_page.py"


@pytest.mark.parametrize(("name", "code"), cases(), ids=lambda text: text[:30])
def test_messages_name_what_is_at_fault(name, code):
    # The parameter, argument or function is always named.
    assert re.search(r"parameter '\w+'|parameter named '\w+'|^'\w+' ", ours(code)), name
