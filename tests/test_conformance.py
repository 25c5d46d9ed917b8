"""The conformance cases, through ``bunraku batch``.

``conformance/known_failures.txt`` lists what fails, and why; it is checked both ways: what is listed
must fail, what is not must pass. ``tests/tools/update_known_failures.py`` rewrites it.
"""

from __future__ import annotations

import pytest

from support.conformance import (
    ask,
    failures,
    known_failures,
    recorded_cases,
    request,
    stated_cases,
)

KNOWN = known_failures()


def check(cases):
    found = failures(cases, ask(map(request, cases)))
    names = {case["id"] for case in cases}
    listed = names & set(KNOWN)
    unexpected = {name: reason for name, reason in found.items() if name not in listed}
    assert not unexpected, f"{len(unexpected)} of {len(names)} cases fail that should pass"
    passing = sorted(listed - set(found))
    assert not passing, "cases pass that are listed as known failures: take them off the list"


@pytest.mark.parametrize("topic", stated_cases())
def test_what_the_reference_texts_state(topic):
    check(stated_cases()[topic])


@pytest.mark.parametrize("topic", recorded_cases())
def test_what_puppet_was_seen_to_do(topic):
    check(recorded_cases()[topic])


def test_known_failures_are_cases_with_reasons():
    topics = [*stated_cases().values(), *recorded_cases().values()]
    names = {case["id"] for cases in topics for case in cases}
    assert set(KNOWN) <= names
    assert all(KNOWN.values())


def test_ids_are_unique():
    topics = [*stated_cases().values(), *recorded_cases().values()]
    names = [case["id"] for cases in topics for case in cases]
    assert len(names) == len(set(names))
