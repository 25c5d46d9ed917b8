"""A sample of ``make renames``: catalogs of classes before and after random renames."""

from __future__ import annotations

from pathlib import Path

import pytest

from rigs.editor.renames import run

MODULES = Path("/usr/share/puppet/modules")
NAMES = ("memcached", "logrotate", "xinetd")


def test_catalogs_stay_the_same():
    modules = [MODULES / name for name in NAMES if (MODULES / name).is_dir()]
    if len(modules) < len(NAMES):
        pytest.skip("needs the Debian packages of tests/debian-packages.txt")
    found = run([*modules, MODULES / "stdlib"], 8, 1)
    assert found["DIFFERENT"] == 0
    assert sum(number for what, number in found.items() if what.startswith("equal")) >= 6
