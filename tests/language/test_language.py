"""The language, case by case, written in Puppet; ``--reference`` asks a real Puppet the same.

How to write a case: ``tests/support/language.py``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bunraku.jobs.batch import answer
from support.conformance import ask
from support.known_differences import known_differences
from support.language import cases, judge, laid_out, puppet_8_cases
from support.ruby import HAS_RUBY

ROOT = Path(__file__).parents[2]
CASES = cases()
ORACLE = Path(os.environ.get("BUNRAKU_ORACLE", ROOT.parent / "shared" / "oracle" / "puppet7"))
KNOWN = known_differences("language")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.key)
def test_case(case):
    if "inline_template(" in case.code and not HAS_RUBY:
        pytest.skip("there is no Ruby here, which templates need")
    found = json.loads(answer(json.dumps(case.asked()).encode()))
    problems = list(judge(case, found, words=True))
    assert not problems, f"tests/language/{case.file}.pp:{case.line}: " + "; ".join(problems)


def test_names_are_unique():
    names = [case.key for case in CASES]
    assert len(names) == len(set(names))


def test_every_case_can_fail():
    silent = [
        case.key
        for case in CASES
        if not (case.errors or case.logs or case.notices or case.resources or case.absent)
        and "assert(" not in case.code.partition("{}")[2]
    ]
    assert silent == []


def test_differences_are_of_cases():
    assert set(KNOWN) <= {case.key for case in CASES}


@pytest.mark.reference
def test_real_puppet_agrees(tmp_path):
    if not ORACLE.exists():
        pytest.skip(f"there is no real Puppet at {ORACLE} (BUNRAKU_ORACLE names another)")
    found = puppet_8_cases()
    asked = [laid_out(case, tmp_path / str(number)) for number, case in enumerate(found)]
    # A process of its own for each case: Puppet keeps types by name from one compile to the next.
    answers = ask(asked, [str(ORACLE), "--recycle", "1"])
    found = {
        case.key: "; ".join(problems)
        for case, one in zip(found, answers, strict=True)
        if (problems := list(judge(case, one, words=False)))
    }
    unexpected = {name: why for name, why in found.items() if name not in KNOWN}
    assert unexpected == {}
    assert set(KNOWN) - set(found) == set(), "real Puppet agrees after all"
