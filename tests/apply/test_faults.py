"""A few of the faults of ``faults.py``, which ``make apply-faults`` runs all, with many more kills."""

from __future__ import annotations

import pytest

from apply.faults import run_trials
from apply.test_cases import base_root, in_sandbox

__all__ = ["base_root"]
FEW = (
    "kill", "stop", "term", "types_stop", "interrupt", "disk_full", "state_full", "read_only", "busy", "hanging",
    "two_runs", "term_once", "interrupt_twice", "clock_jumps", "times_in_the_future", "odd_names",
)  # fmt: skip


@in_sandbox
@pytest.mark.usefixtures("base_root")
def test_runs_survive_faults() -> None:
    found = run_trials(7, seed=1, only=FEW)
    problems = {name: one.problems for name, each in found.items() for one in each if one.problems}
    assert problems == {}
    assert set(found) == set(FEW)
