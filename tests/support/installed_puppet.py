"""The mark of tests that need a real Puppet beside bunraku."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from bunraku.providers.ruby_process import find_ruby
from bunraku.world.linux import LinuxHost


def installed() -> bool:
    """Return whether the real Puppet is here."""
    ruby = find_ruby(LinuxHost())
    if ruby is None or shutil.which("ruby") is None:
        return False
    return subprocess.run([ruby, "-e", "require 'puppet'"], check=False).returncode == 0


needs_puppet = pytest.mark.skipif(not installed(), reason="needs an installed Puppet")
