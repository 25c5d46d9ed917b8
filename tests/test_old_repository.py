"""Classes of a published repository of Puppet 3's time compile under 3.8, save those listed.

With ``BUNRAKU_OLD_REPOSITORY`` set to a checkout of mozilla-releng/build-puppet all are compiled,
which takes minutes. ``data/old_repository.json`` has the classes that compile, each with its machine
(``tests/record/compile_old_repository.py`` writes it), ``known_differences.toml`` the others.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from support.known_differences import known_differences
from support.old_repository import DATA, classes, outcomes, programs
from support.ruby import HAS_RUBY

VARIABLE = "BUNRAKU_OLD_REPOSITORY"
COMPILED = json.loads((DATA / "old_repository.json").read_text(encoding="utf-8"))
KNOWN = known_differences("old_repository")
PAGE = Path(__file__).parents[1] / "docs" / "coming-from-puppet-3.md"


@pytest.fixture(scope="module")
def checkout():
    if VARIABLE not in os.environ:
        pytest.skip(f"{VARIABLE} does not name a checkout of mozilla-releng/build-puppet")
    if not HAS_RUBY:
        pytest.skip("the repository's functions and templates need Ruby, which is not installed")
    return Path(os.environ[VARIABLE]).resolve()


def test_every_manifest_parses(checkout):
    found = {str(path): errors for path, _, errors in programs(checkout)}
    assert len(found) == 724
    assert {path: errors for path, errors in found.items() if errors} == {}


def test_classes_compile(checkout, tmp_path):
    results = outcomes(checkout, tmp_path, list(classes(checkout)))
    assert {result.name: result.machine for result in results if result.machine} == COMPILED
    assert {result.name for result in results if not result.machine} == set(KNOWN)


def test_the_page_states_the_numbers():
    text = f"{len(COMPILED)} of {len(COMPILED) + len(KNOWN)} classes compile"
    assert text in " ".join(PAGE.read_text(encoding="utf-8").split())
    assert len(COMPILED) >= 500
    assert all(KNOWN.values())
