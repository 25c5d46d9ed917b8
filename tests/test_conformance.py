"""The conformance cases, through ``bunraku batch``, in each dialect.

``known_differences.toml`` lists the failing cases, with reasons; they are checked both ways: listed
cases must fail, others must pass. ``tests/record/update_known_differences.py`` rewrites the lists.
"""

from __future__ import annotations

import pytest

from bunraku.ruby.process.issues import RUBY_MISSING
from support.conformance import (
    DIALECTS,
    answer_here,
    ask,
    failures,
    known_failures,
    recorded_cases,
    request,
    stated_cases,
)
from support.ruby import HAS_RUBY


def topics_of(cases):
    """Dialect and topic of each test."""
    return [(dialect, topic) for dialect in DIALECTS for topic in cases(dialect)]


def check(dialect, cases, ask=ask):
    answers = ask(map(request, cases))
    found = failures(cases, answers)
    without = set() if HAS_RUBY else need_ruby(answers)
    names = {case["id"] for case in cases} - without
    found = {name: reason for name, reason in found.items() if name in names}
    listed = names & set(known_failures(dialect))
    unexpected = {name: reason for name, reason in found.items() if name not in listed}
    assert not unexpected, f"{len(unexpected)} of {len(names)} cases fail that should pass"
    passing = sorted(listed - set(found))
    assert not passing, "cases pass that are listed as known failures: take them off the list"

    if without:
        pytest.skip(f"{len(without)} of {len(cases)} cases need Ruby; the others pass")


def need_ruby(answers):
    """The cases that this machine cannot run without Ruby."""
    missing = RUBY_MISSING.code
    return {one["id"] for one in answers if (one["error"] or {}).get("issue_code") == missing}


@pytest.mark.parametrize(("dialect", "topic"), topics_of(stated_cases))
def test_what_the_reference_texts_state(dialect, topic):
    check(dialect, stated_cases(dialect)[topic])


@pytest.mark.parametrize(("dialect", "topic"), topics_of(recorded_cases))
def test_what_puppet_was_seen_to_do(dialect, topic):
    check(dialect, recorded_cases(dialect)[topic], answer_here)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_known_failures_are_cases_with_reasons(dialect):
    topics = [*stated_cases(dialect).values(), *recorded_cases(dialect).values()]
    names = {case["id"] for cases in topics for case in cases}
    known = known_failures(dialect)
    assert set(known) <= names
    assert all(known.values())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_ids_are_unique(dialect):
    topics = [*stated_cases(dialect).values(), *recorded_cases(dialect).values()]
    names = [case["id"] for cases in topics for case in cases]
    assert len(names) == len(set(names))
