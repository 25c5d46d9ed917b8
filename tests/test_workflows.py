"""The workflows: actions are pinned by their commits, and the tests run on each supported Python."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_by_their_commits(path):
    used = re.findall(r"uses: (\S+)( # v[\d.]+)?$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert used
    for action, version in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)
        assert version


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_get_no_more_rights_than_they_need(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}


def test_each_supported_python_is_tested():
    matrix = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8"))
    tested = matrix["jobs"]["check"]["strategy"]["matrix"]["python"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    classified = re.findall(r"Python :: (3\.\d+)\b", " ".join(project["classifiers"]))
    assert set(classified) <= set(tested)
    assert project["requires-python"] == f">={tested[0]}"
