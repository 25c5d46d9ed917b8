"""Questions about types, answered as a real Puppet answered them (tests/record/record_types.py).

``tests/known_differences.toml`` lists each answer that differs on purpose, with its reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.recorded import recorded
from tests.support.type_values import evaluate

from bunraku.types.relations.assignable import is_assignable
from bunraku.types.relations.equality import equal
from bunraku.types.relations.infer import infer, infer_detailed, infer_generalized
from bunraku.types.relations.instance import is_instance
from bunraku.types.text.display import display
from bunraku.types.value_text import to_text
from support.known_differences import known_differences

DATA = Path(__file__).parent.parent / "data"
RECORDED = recorded("types_recorded")
KNOWN = set(known_differences("types"))
TYPES = {text: evaluate(text) for text in RECORDED["types"]}
VALUES = {text: evaluate(text) for text in RECORDED["values"]}


def check_table(table, rows, columns, operator, ask):
    wrong = []
    for row, answers in zip(rows, RECORDED[table], strict=True):
        for column, expected in zip(columns, answers, strict=True):
            if expected == "?":
                continue
            if ask(rows[row], columns[column]) != (expected == "1"):
                wrong.append(f"{column} {operator} {row}")
    assert sorted(set(wrong) - KNOWN) == []


def test_values_are_instances_as_in_puppet():
    check_table("instance", TYPES, VALUES, "=~", lambda type_, value: is_instance(value, type_))


def test_types_are_within_types_as_in_puppet():
    check_table("assignable", TYPES, TYPES, "<=", is_assignable)


def test_values_are_equal_as_in_puppet():
    check_table("equal", VALUES, VALUES, "==", lambda row, column: equal(column, row))


@pytest.mark.parametrize(
    ("name", "show"),
    [
        ("text", to_text),
        ("detailed", lambda value: display(infer_detailed(value))),
        ("reduced", lambda value: display(infer(value))),
        ("generalized", lambda value: display(infer_generalized(value))),
    ],
)
def test_texts_are_those_of_puppet(name, show):
    both = {**VALUES, **TYPES}
    order = [*RECORDED["values"], *RECORDED["types"]]
    wrong = []
    for text, expected in zip(order, RECORDED[name], strict=True):
        if expected is not None and show(both[text]) != expected:
            wrong.append(f"{name}: {text}: {show(both[text])} for {expected}")
    assert [
        line for line in wrong if line.rpartition(":")[0] not in KNOWN and line not in KNOWN
    ] == []


def test_common_types_are_those_of_puppet():
    both = {**VALUES, **TYPES}
    wrong = []
    for left, right, expected in RECORDED["common"]:
        if expected is not None and display(infer([both[left], both[right]])) != expected:
            wrong.append(f"common: {left} and {right}")
    assert [line for line in wrong if line not in KNOWN] == []
