"""Run pytest with bunraku's plugin and no other one, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PLUGIN = "bunraku.workbench.testing.pytest_plugin"


def run_tests(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the tests of a directory."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", *words],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "100"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
