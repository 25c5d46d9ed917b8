"""An installation without the extra ``server`` examines all but certificates, and says so."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "cryptography":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
from bunraku.cli.main import main
directories = [f"--{name}={sys.argv[1]}/{name}" for name in ("confdir", "vardir", "rundir", "codedir")]
sys.exit(main(["doctor", *directories]))
"""


def test_certificates_are_not_checked(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "not checked: certificates: the package cryptography is not installed" in done.stdout
    assert "Traceback" not in done.stderr
