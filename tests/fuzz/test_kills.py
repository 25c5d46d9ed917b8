"""A few of the random kills of ``kills.py``, which runs as many as you like."""

from __future__ import annotations

import os

import pytest

from fuzz.kills import run_kills
from support.ruby import needs_ruby


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc to find processes")
@needs_ruby
def test_nothing_stays_behind_after_kills():
    assert run_kills(10, seed=1, report=False) == []
