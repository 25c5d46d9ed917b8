"""Copies of Debian's modules into which tests plant mistakes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

MODULES = Path("/usr/share/puppet/modules")
NAMES = ("apache", "apt", "concat", "ntp", "stdlib")


def copied_modules(folder: Path) -> Path:
    """Copy the modules into a directory; skip the test where they are not installed."""
    if not all((MODULES / name).is_dir() for name in NAMES):
        pytest.skip("Debian's modules apache, apt, concat, ntp and stdlib are not all installed")
    for name in NAMES:
        shutil.copytree(MODULES / name, folder / name, symlinks=False)
    return folder
