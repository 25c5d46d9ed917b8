"""Every page of Puppetboard works on the demonstration, where Puppetboard is installed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

pytest.importorskip("puppetboard.version", reason="Puppetboard is not installed")
SPEC = importlib.util.spec_from_file_location("board", Path(__file__).parent / "puppetboard.py")
board = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(board)


def test_all_pages():
    faults, count = board.trial(sys.executable)
    assert faults == {}
    assert count > 60
