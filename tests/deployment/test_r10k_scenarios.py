"""``bunraku r10k`` does what r10k 5.0.2 did in the same scenarios; see ``rigs/deployment/record_r10k.py``."""

import json
import os
import shutil
from pathlib import Path

import pytest

from bunraku.cli.main import main
from support.git_remotes import VARIABLES
from support.r10k_scenarios import SCENARIOS, record_of

RECORDED = {
    record["name"]: record["steps"]
    for record in map(
        json.loads, Path(__file__).with_name("r10k-5.0.2.jsonl").read_text("utf-8").splitlines()
    )
}
BETTER = {
    "allowed_file_in_a_directory": "an allowed file keeps the directories above it",
}
"""Scenario → why the outcome is another one on purpose; the page "Coming from r10k" lists them."""

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def run(monkeypatch, capfd, tmp_path):
    for name, value in {**VARIABLES, "HOME": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    for name in [one for one in os.environ if one.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)

    def call(words, here):
        monkeypatch.chdir(here)
        code = main(["r10k", *words])
        captured = capfd.readouterr()
        return code, captured.out + captured.err

    return call


@pytest.mark.parametrize("name", SCENARIOS)
def test_outcomes_are_those_of_r10k(name, run, tmp_path):
    steps = record_of(name, tmp_path / "site", run)
    if name in BETTER:
        assert steps != RECORDED[name]
    else:
        assert steps == RECORDED[name]


def test_all_scenarios_are_recorded():
    assert RECORDED.keys() == SCENARIOS.keys()


def test_improvements_are_on_the_page():
    page = (Path(__file__).parents[2] / "docs" / "coming-from-r10k.md").read_text("utf-8")
    assert "keeps the directories above it" in page
