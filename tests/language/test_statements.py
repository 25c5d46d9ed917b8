"""Every statement of the texts on types and variables has its case in ``tests/language``, by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.language import cases

LIST = Path(__file__).parents[1] / "data" / "statements.txt"
NAMES = [name for name in LIST.read_text(encoding="utf-8").splitlines() if name[:1] != "#"]
# Text → the file of its cases, and the dialects that they are in.
FILES = {
    "S0": ("s0_data_types", {"3.0"}),
    "S1": ("s1_data_types", {"3.8", "3.8-future"}),
    "S2": ("s2_types", {"8"}),
    "S3": ("s3_variables", {"3.8", "8"}),
}


@pytest.mark.parametrize("text", FILES)
def test_each_statement_has_a_case(text):
    file, _ = FILES[text]
    named = {case.name.split()[0] for case in cases() if case.file == file}
    assert named == {name for name in NAMES if name.split("-")[0] == text}


@pytest.mark.parametrize("text", FILES)
def test_cases_are_in_the_dialect_of_the_text(text):
    file, languages = FILES[text]
    assert {case.language for case in cases() if case.file == file} == languages


def test_the_list_is_whole():
    texts = [name.split("-")[0] for name in NAMES]
    counted = {text: texts.count(text) for text in FILES}
    assert counted == {"S0": 103, "S1": 105, "S2": 81, "S3": 59}
    assert len(set(NAMES)) == len(NAMES)
