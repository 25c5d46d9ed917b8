"""A fixed number of damaged inputs of every kind, always the same; and every input that once was a find.

``tests/fuzz/fuzz_everything.py`` is the same without an end.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.fuzzing.cases import NO_RUBY, Case
from support.fuzzing.kinds import KINDS
from support.fuzzing.lanes import Plan, Run, alone, numbered, open_lane, warm, watch

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
def root(tmp_path_factory: pytest.TempPathFactory) -> str:
    warm()
    return str(tmp_path_factory.mktemp("fuzz"))


@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"{run.kind}-{run.dialect}")
def test_damaged_inputs_end_in_documented_errors(run: Run, root: str) -> None:
    count = INPUTS.get(run.kind, 25)
    cases = numbered(run, SEED, 0, count, installed=False)
    lane = open_lane(run, cases, root, Plan(twice=10))
    ended: list[Any] = []
    while not ended:
        ended = watch([lane], 0.25)
    [(_, problems, _)] = ended
    assert [(number, one.signature, one.text) for number, one in problems] == []
    assert lane.now()[1] == count


@pytest.mark.parametrize("regression", REGRESSIONS, ids=lambda one: one["what"])
def test_former_finds_end_in_documented_errors(regression: dict[str, Any], root: str) -> None:
    case = Case.from_data(regression["case"])
    ruby = case.environment.get("BUNRAKU_RUBY") != NO_RUBY
    problems = alone(Run("regression", "8", ruby), case, root, twice=True)
    assert [(one.signature, one.text) for one in problems] == []


def test_the_judge_finds_what_it_looks_for(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Finds of each sort, made on purpose: a fuzzer that sees none of them would always pass."""
    import os
    import subprocess
    import tempfile

    from bunraku.cli import main

    def judged(act: Any) -> list[str]:
        monkeypatch.setattr(main, "dispatch", lambda arguments: act())
        return [one.what for one in alone(Run("none", "8", ruby=False), Case(("eval", "1")), root)]

    def left() -> int:
        tempfile.mkdtemp()
        return 0

    def process() -> int:
        subprocess.Popen(["sleep", "60"], start_new_session=True)
        return 0

    def object_shown() -> int:
        print(object())
        return 0

    def file_open() -> int:
        open("x", "w")  # noqa: SIM115
        return 0

    assert judged(lambda: 0) == []
    assert judged(lambda: 1) == ["silent"]
    assert judged(lambda: 7) == ["exit code", "silent"]
    assert judged(lambda: {}["x"]) == ["internal error"]
    assert judged(os.abort) == ["killed"]
    assert judged(lambda: os.write(2, b"Traceback (most recent call last):\nX\n") * 0) == [
        "traceback"
    ]
    assert judged(left) == ["file left"]
    assert "process left" in judged(process)
    assert judged(object_shown) == ["object shown"]
    assert judged(file_open) == ["unraisable"]
