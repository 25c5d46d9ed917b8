"""Every class of Debian's Puppet modules gives the catalog, or the error, that real Puppet gives.

Recorded by ``tests/record/record_classes.py``; ``known_differences.toml`` lists the classes that
differ, and why, and is checked both ways.
"""

from __future__ import annotations

import json

import pytest

from bunraku.jobs.batch import answer
from support.debian_classes import (
    DATA,
    class_names,
    differs,
    installed_versions,
    kept,
    lay_out_modules,
    request,
    workload,
)
from support.known_differences import known_differences
from support.ruby import HAS_RUBY

RECORDED = json.loads((DATA / "classes.json").read_text(encoding="utf-8"))
WORKLOADS = json.loads((DATA / "workloads.json").read_text(encoding="utf-8"))
KNOWN = known_differences("classes")
MODULES = sorted({name.partition("::")[0] for name in class_names()})


@pytest.fixture(scope="module")
def modulepath(tmp_path_factory):
    if installed_versions() != RECORDED["packages"]:
        pytest.skip("the Debian packages of tests/debian-packages.txt are not all installed")
    if not HAS_RUBY:
        pytest.skip("the modules' templates need Ruby, which is not installed")
    return lay_out_modules(tmp_path_factory.mktemp("modules"))


@pytest.mark.parametrize("module", MODULES)
def test_classes_of_module(module, modulepath):
    found = {}
    for name in class_names():
        if name.partition("::")[0] == module:
            line = json.dumps(request(name, modulepath)).encode()
            found[name] = kept(json.loads(answer(line)), modulepath)
    different = {name for name, one in found.items() if differs(one, RECORDED["classes"][name])}
    assert different - set(KNOWN) == set()
    assert set(KNOWN) & set(found) - different == set(), "take them off known_differences.toml"


@pytest.mark.parametrize("name", ["roles.pp", "openstack.pp"])
def test_workloads(name, modulepath):
    """Whole hosts: the digests are of catalogs that were equal to those of Puppet 7.23."""
    found = json.loads(answer(json.dumps(workload(name, modulepath)).encode()))
    assert kept(found, modulepath) == WORKLOADS[name]


def test_known_differences_are_of_classes():
    assert set(KNOWN) <= set(class_names())
    assert list(RECORDED["classes"]) == class_names()
