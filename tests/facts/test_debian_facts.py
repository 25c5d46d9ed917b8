"""Custom and external facts of Debian's Puppet modules, as an agent with all of them has them, beside real Facter.

``tests/record/modules_facts.py`` compares those of the whole corpus. The facts only read.
"""

from __future__ import annotations

import pytest

from rigs.modules.corpus import DEBIAN
from rigs.modules.facts import compare, with_facts
from support import facter


def test_facts_of_debian_modules() -> None:
    if not facter.has_facter():
        pytest.skip("needs Ruby with Facter 4")
    if not facter.runs("require 'puppet'"):
        pytest.skip("facts of modules need Puppet, which is not installed")
    modules = with_facts(sorted(DEBIAN.iterdir())) if DEBIAN.is_dir() else []
    quick = [one for one in modules if one.name != "apt"]  # its facts run apt-get for seconds
    if len(quick) < 10:
        pytest.skip(f"Debian's Puppet modules are not installed below {DEBIAN}")
    figures = compare(quick, [])
    assert figures.as_json()["causes"] == []
    assert figures.failed == 0
    assert figures.identical == figures.facts > 10
