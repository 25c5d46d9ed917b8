"""Whether this machine has Ruby, for tests of the few features that require it."""

from __future__ import annotations

import shutil

import pytest

HAS_RUBY = shutil.which("ruby") is not None
needs_ruby = pytest.mark.skipif(not HAS_RUBY, reason="needs Ruby")
