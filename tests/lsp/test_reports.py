"""Large reports of programs are read in steps; damaged ones are noticed."""

from __future__ import annotations

import json

import pytest

from bunraku.lsp.reports import ITEMS_IN_A_STEP, ReportReading


def read(text, name=None):
    """Return the items of a report, whether it is damaged, and the number of steps."""
    found: list[object] = []
    reading = ReportReading(text, found.append, name)
    count = 0
    for step in reading.steps():
        step()
        count += 1
    return found, reading.is_damaged, count


@pytest.mark.parametrize("count", [0, 1, ITEMS_IN_A_STEP, ITEMS_IN_A_STEP * 2 + 1])
@pytest.mark.parametrize("indent", [None, 2])
def test_items_are_read_in_steps(count, indent):
    items = [{"number": number, "text": '"diagnostics": ['} for number in range(count)]
    report = json.dumps({"schema": 1, "diagnostics": items, "more": [1]}, indent=indent)
    assert read(report, "diagnostics") == (items, False, count // ITEMS_IN_A_STEP + 1)
    assert read(json.dumps(items, indent=indent)) == (items, False, count // ITEMS_IN_A_STEP + 1)


@pytest.mark.parametrize(
    "text", ["", "bunraku: an error", "{}", '{"diagnostics": {}}', '{"diagnostics": [1', "[1 2]"]
)
def test_a_damaged_report(text):
    name = None if text.startswith("[1") else "diagnostics"
    assert read(text, name)[1]
