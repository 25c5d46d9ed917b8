"""A fixed number of damaged inputs of every kind, always the same; and every input that once was a find.

``tests/fuzz/fuzz_everything.py`` is the same without an end.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rigs.fuzzing.cases import NO_RUBY, Case
from rigs.fuzzing.kinds import KINDS
from rigs.fuzzing.lanes import Plan, Run, alone, new_root, together, warm
from rigs.fuzzing.misdeeds import MISDEEDS, problems_of
from support.small_process import SmallProcess

SEED = 20_261_122
INPUTS = {"cache_entries": 6, "revisions": 10, "batch_requests": 20}
REGRESSIONS: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("regressions.json").read_text()
)
RUNS = [
    Run(name, dialect, ruby=False)
    for name, kind in KINDS.items()
    for dialect, ruby in kind.runs
    if not ruby
]


@pytest.fixture(scope="module")
def small() -> Iterator[SmallProcess]:
    process = SmallProcess(warm)
    yield process
    process.close()


@pytest.fixture(scope="module")
def root() -> Iterator[str]:
    folder = new_root()
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"{run.kind}-{run.dialect}")
def test_damaged_inputs_end_in_documented_errors(run: Run, root: str, small: SmallProcess) -> None:
    count = INPUTS.get(run.kind, 25)
    problems, done = small.call(together, run, SEED, count, root, Plan(twice=10))
    assert [(number, one.signature, one.text) for number, one in problems] == []
    assert done == count


@pytest.mark.parametrize("regression", REGRESSIONS, ids=lambda one: one["what"])
def test_former_finds_end_in_documented_errors(
    regression: dict[str, Any], root: str, small: SmallProcess
) -> None:
    case = Case.from_data(regression["case"])
    ruby = case.environment.get("BUNRAKU_RUBY") != NO_RUBY
    problems = small.call(alone, Run("regression", "8", ruby), case, root, twice=True)
    assert [(one.signature, one.text) for one in problems] == []


def test_the_judge_finds_what_it_looks_for(root: str, small: SmallProcess) -> None:
    """Finds of each sort, made on purpose: a fuzzer that sees none of them would always pass."""
    found = {name: small.call(problems_of, name, root) for name in MISDEEDS}
    assert "process left" in found.pop("process left")
    assert found == {
        "nothing": [],
        "silent failure": ["silent"],
        "unknown exit code": ["exit code", "silent"],
        "internal error": ["internal error"],
        "abort": ["killed"],
        "traceback": ["traceback"],
        "file left": ["file left"],
        "object shown": ["object shown"],
        "file open": ["unraisable"],
    }
