"""``bunraku puppet`` beside what the executable of Puppet 7.23 printed for the same calls."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.puppet_calls import (
    CALLS,
    Call,
    Outcome,
    differences,
    known_difference,
    outcome,
    prepare,
    recorded,
    words,
)

RECORDED = recorded()


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Return what bunraku does for the calls, one after the other in one directory."""
    directory = tmp_path_factory.mktemp("site")
    prepare(directory)
    environment = {**os.environ, "HOME": str(directory), "LC_ALL": "C.UTF-8"}
    return {call.name(): run(call, directory, environment) for call in CALLS}


def run(call: Call, directory: Path, environment: dict[str, str]) -> Outcome:
    """Return what one call does."""
    done = subprocess.run(
        [sys.executable, "-m", "bunraku", "puppet", *words(call, directory)],
        input=call.stdin,
        capture_output=True,
        text=True,
        cwd=directory,
        env=environment,
        check=False,
    )
    return outcome(call, done.returncode, done.stdout, done.stderr, directory)


def test_all_calls_are_recorded() -> None:
    assert [call.name() for call in CALLS] == list(RECORDED)


@pytest.mark.parametrize("call", CALLS, ids=Call.name)
def test_a_call_does_what_puppet_does(call: Call, outcomes: dict[str, Outcome]) -> None:
    ours, puppets = outcomes[call.name()], RECORDED[call.name()]
    found = differences(ours, puppets)
    assert found == known_difference(call), f"Puppet: {puppets.data()}\n\nbunraku: {ours.data()}"


def test_no_call_ends_in_an_internal_error(outcomes: dict[str, Outcome]) -> None:
    assert {one.exit for one in outcomes.values()} <= {0, 1, 2}
    assert not [name for name, one in outcomes.items() if "internal error" in one.stderr]
