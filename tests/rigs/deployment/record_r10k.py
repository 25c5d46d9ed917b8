"""Record what r10k does in the scenarios of ``support/r10k_scenarios.py``.

python tests/rigs/deployment/record_r10k.py 'r10k' tests/deployment/r10k-5.0.2.jsonl
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from support.git_remotes import VARIABLES
from support.r10k_scenarios import SCENARIOS, record_of


def record(command: str, target: str) -> None:
    """Run all scenarios with a program and write what came, a line for each."""
    with tempfile.TemporaryDirectory() as directory, open(target, "w", encoding="utf-8") as file:
        environment = {**os.environ, **VARIABLES, "HOME": directory, "TZ": "UTC"}

        def run(words: list[str], here: Path) -> tuple[int, str]:
            done = subprocess.run(
                [*shlex.split(command), *words],
                cwd=here,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            return done.returncode, done.stdout + done.stderr

        for name in SCENARIOS:
            steps = record_of(name, Path(directory, name), run)
            file.write(json.dumps({"name": name, "steps": steps}, sort_keys=True) + "\n")


if __name__ == "__main__":
    record(*sys.argv[1:3])
