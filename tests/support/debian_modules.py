"""Debian's packages of Puppet modules, for tests over all that are installed."""

from __future__ import annotations

from pathlib import Path

import pytest

MODULES = Path("/usr/share/puppet/modules")
MANY = 30

needs_debian_modules = pytest.mark.skipif(
    not MODULES.is_dir() or len(list(MODULES.iterdir())) < MANY,
    reason=f"fewer than {MANY} of Debian's Puppet modules are installed",
)
needs_stdlib = pytest.mark.skipif(
    not (MODULES / "stdlib").is_dir(), reason="Debian's module stdlib is not installed"
)
