"""Custom and external facts of Debian's Puppet modules, as an agent with all of them has them, beside real Facter.

Programs that facts run print prepared answers. ``tests/record/modules_facts.py`` compares the facts of the whole corpus,
on more machines. The facts only read.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rigs.modules.corpus import DEBIAN
from rigs.modules.fact_worlds import write_programs, write_system
from rigs.modules.facts import compare, with_facts
from support import facter


def test_facts_of_debian_modules(tmp_path: Path, monkeypatch) -> None:
    if not facter.has_facter():
        pytest.skip("needs Ruby with Facter 4")
    if not facter.runs("require 'puppet'"):
        pytest.skip("facts of modules need Puppet, which is not installed")
    modules = with_facts(sorted(DEBIAN.iterdir())) if DEBIAN.is_dir() else []
    quick = [one for one in modules if one.name != "apt"]  # its facts run apt-get for seconds
    if len(quick) < 10:
        pytest.skip(f"Debian's Puppet modules are not installed below {DEBIAN}")
    write_programs(tmp_path / "programs")
    write_system(tmp_path / "system", "redhat")
    monkeypatch.setenv("PATH", f"{tmp_path}/programs:{os.environ['PATH']}")
    figures = compare(quick, [], [str(tmp_path / "system")])
    assert figures.as_json()["causes"] == []
    assert figures.failed == 0
    assert figures.identical == figures.facts > 25
