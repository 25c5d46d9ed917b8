"""A sample of what tests/record/compare_types.py asked a real Puppet, asked again.

The recording holds matrices of types and values, and conversions, with Puppet's answers.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.recorded import recorded

from bunraku.jobs.batch import answer
from record.compare_types import batch_code, conversion_code
from support.differential import Matrix, differences, known, outcome, reasons, request

RECORDED = recorded("types_differential")
CONVERSIONS = RECORDED["conversions"]
BATCH = 40


def ours(code):
    return outcome(json.loads(answer(request(code).encode())))


@pytest.mark.parametrize("number", range(len(RECORDED["matrices"])))
def test_types_and_values_relate_as_in_puppet(number):
    types, values, theirs = RECORDED["matrices"][number]
    matrix = Matrix(types, values)
    found = ours(matrix.manifest())
    assert found is not None
    assert [line for line in differences(matrix, theirs, found) if known(line) is None] == []


@pytest.mark.parametrize("start", range(0, len(CONVERSIONS), 10 * BATCH))
def test_values_convert_as_in_puppet(start):
    wrong = []
    some = CONVERSIONS[start : start + 10 * BATCH]
    works = [text for text, theirs in some if theirs is not None]
    found = {}
    for place in range(0, len(works), BATCH):
        batch = works[place : place + BATCH]
        rows = ours(batch_code(batch))
        if rows is not None:
            found.update(zip(batch, zip(rows[::2], rows[1::2], strict=True), strict=True))
    for text, theirs in some:
        mine = found[text] if text in found else ours(conversion_code(text))
        mine = None if mine is None else list(mine)
        if mine != theirs:
            wrong.append(f"convert: {text}: {mine} for {theirs}")
    assert [line for line in wrong if known(line) is None] == []


def test_reasons_are_in_the_documentation():
    page = (Path(__file__).parents[2] / "docs" / "differences.md").read_text(encoding="utf-8")
    assert [one.reason for one in reasons() if one.reason not in page] == []
