"""Classes, defined types, functions and templates of Debian's Puppet modules, beside real Puppet.

Recorded by ``tests/record/modules.py debian``: the digest of Puppet's answer to each question of a sample of the
corpus. ``known_differences.toml`` lists the questions with other answers, and why, and is checked both ways.
"""

from __future__ import annotations

import json

import pytest

from bunraku.jobs.batch import answer
from rigs.modules.debian import RECORD, digest, library, sampled
from support.debian_classes import differs, installed_versions
from support.known_differences import known_differences
from support.ruby import HAS_RUBY

RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))
KNOWN = known_differences("modules")
MODULES = sorted({label.partition(" ")[0] for label in RECORDED["answers"]})


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    if installed_versions() != RECORDED["packages"]:
        pytest.skip("the Debian packages of tests/debian-packages.txt are not all installed")
    if not HAS_RUBY:
        pytest.skip("code of the modules needs Ruby, which is not installed")
    known, modules = library(tmp_path_factory.mktemp("corpus"))
    return known, {module.label: module for module in modules}


@pytest.mark.parametrize("label", MODULES)
def test_answers_about_module(label, corpus):
    known, modules = corpus
    different = set()
    for question in sampled(known, modules[label]):
        name = question.request["id"]
        found = digest(
            json.loads(answer(json.dumps(question.request).encode())), question.modulepath
        )
        if name in RECORDED["answers"] and differs(found, RECORDED["answers"][name]):
            different.add(name)
    assert different - set(KNOWN) == set()
    listed = {name for name in KNOWN if name.startswith(f"{label} ")}
    assert listed - different == set(), "take them off known_differences.toml"


def test_known_differences_are_of_the_sample():
    assert set(KNOWN) <= set(RECORDED["answers"])
