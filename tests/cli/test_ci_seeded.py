"""``bunraku ci`` on a repository of 30 nodes: each seeded mistake is one finding, no harmless change is.

All cases run with ``make seeded``; the suite has a sample of each kind.
"""

from __future__ import annotations

import os

import pytest

from rigs.seeded.harmless import HARMLESS
from rigs.seeded.held_back import HARMLESS_HELD_BACK, HELD_BACK
from rigs.seeded.judge import faults
from rigs.seeded.mistakes import MISTAKES
from rigs.seeded.repository import git, make_repository

SAMPLE = frozenset(
    {
        "class",
        "parameter of a class",
        "reference",
        "wrong type in data",
        "duplicate declaration",
        "renamed source",
        "misspelt key",
        "unreachable level",
        "tab in YAML",
        "secret in a message",
        "private key in data",
        "line ends of a script",
        "order of keys",
        "renamed class",
        "extracted profile",
    }
)
ALL = (*MISTAKES, *HARMLESS, *HELD_BACK, *HARMLESS_HELD_BACK)
CHANGES = [one for one in ALL if os.environ.get("SEEDED_ALL") or one.name in SAMPLE]


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    directory = tmp_path_factory.mktemp("seeded") / "control"
    make_repository(directory)
    return directory


def test_repository_has_ten_commits_and_thirty_nodes(repository):
    assert len(git(repository, "log", "--oneline").splitlines()) == 10
    assert len(list((repository / "facts").iterdir())) == 30


def test_there_are_enough_changes_with_different_names():
    names = [one.name for one in ALL]
    assert len(MISTAKES) >= 40
    assert len(HARMLESS) >= 15
    assert len({(type(one), one.name) for one in ALL}) == len(names)


@pytest.mark.parametrize("change", CHANGES, ids=lambda one: f"{type(one).__name__}: {one.name}")
def test_change(repository, monkeypatch, tmp_path, change):
    monkeypatch.setenv("XDG_CACHE_HOME", str(repository.parent / "cache"))
    assert faults(repository, change) == []
