"""Tests of classes of Debian's modules: apt install puppet-module-puppetlabs-ntp facterdb …

Each file tests one module, and is skipped where it is not installed.
"""

from pathlib import Path

import pytest

MODULES = Path("/usr/share/puppet/modules")


@pytest.fixture(autouse=True)
def _installed(request):
    name = request.path.stem.removeprefix("test_")
    if not (MODULES / name).is_dir():
        pytest.skip(f"the module {name} is not installed")


@pytest.fixture
def facts(on_supported_os):
    """Every compile has the facts of Debian 11, unless the test runs on several systems."""
    return "debian-11" if on_supported_os is None else on_supported_os.facts()
