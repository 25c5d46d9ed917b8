"""What this machine has for Ruby code, for tests of the few features that require it."""

from __future__ import annotations

import shutil
from importlib.util import find_spec

import pytest

HAS_RUBY = shutil.which("ruby") is not None
HAS_READER = find_spec("tree_sitter") is not None
needs_ruby = pytest.mark.skipif(not HAS_RUBY, reason="needs Ruby")
needs_reader = pytest.mark.skipif(not HAS_READER, reason="needs the package tree-sitter")
