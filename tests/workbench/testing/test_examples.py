"""The tests in examples/tests, which document the plugin, pass; on two workers as in one process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bunraku.facts.facterdb import installed_facterdb

EXAMPLES = Path(__file__).parents[3] / "examples" / "tests"
PLUGIN = "bunraku.workbench.testing.pytest_plugin"


@pytest.mark.skipif(installed_facterdb() is None, reason="FacterDB is not installed")
@pytest.mark.parametrize("arguments", [[], ["-p", "xdist", "-n", "2"]], ids=["alone", "xdist"])
def test_examples_pass(arguments):
    pytest.importorskip("xdist")
    command = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", "-q"]
    done = subprocess.run(
        [*command, *arguments, "-c", os.devnull, "--rootdir", str(EXAMPLES), str(EXAMPLES)],
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "failed" not in done.stdout
