"""Record what the executable ``puppet`` prints for the calls of ``support/puppet_calls.py``.

    python tests/record/record_puppet_calls.py [BEGINNING ...]

With arguments, record only the calls that begin so; the others keep what was recorded. Needs Puppet 7.
The calls only change files in a temporary directory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from support.puppet_calls import (  # noqa: E402, the path first
    CALLS,
    RECORDED,
    Call,
    Outcome,
    outcome,
    prepare,
    recorded,
    words,
)

PUPPET = "/usr/bin/puppet"


def main(*beginnings: str) -> None:
    """Write the outcomes."""
    found = recorded() if beginnings else {}
    with tempfile.TemporaryDirectory() as name:
        prepare(Path(name))
        for call in CALLS:
            if not beginnings or call.name().startswith(beginnings):
                found[call.name()] = run(call, Path(name))
    in_order = {call.name(): found[call.name()].data() for call in CALLS}
    RECORDED.write_text(json.dumps(in_order, indent=1, ensure_ascii=False) + "\n", "utf-8")


def run(call: Call, directory: Path) -> Outcome:
    """Return what Puppet does for a call."""
    environment = {**os.environ, "HOME": str(directory), "LC_ALL": "C.UTF-8", "COLUMNS": "80"}
    done = subprocess.run(
        [PUPPET, *words(call, directory)],
        input=call.stdin,
        capture_output=True,
        text=True,
        cwd=directory,
        env=environment,
        check=False,
    )
    return outcome(call, done.returncode, done.stdout, done.stderr, directory)


if __name__ == "__main__":
    main(*sys.argv[1:])
