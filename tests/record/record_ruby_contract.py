"""Record Puppet's answers to the cases of ``tests/data/ruby_contract``.

PYTHONPATH=tests python tests/record/record_ruby_contract.py /work/shared/oracle/puppet7
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from support.recorded import write_recorded
from support.ruby_contract import ANSWERS, all_cases, outcome, request, write_files


def main() -> None:
    """Ask, and write the answers."""
    cases = all_cases()
    with TemporaryDirectory() as folder:
        lines = []
        for number, case in enumerate(cases):
            modules = Path(folder, str(number))
            write_files(case, modules)
            lines.append(json.dumps(request(case, modules)) + "\n")
        # One process for each case: classes of Ruby and functions stay in a process.
        command = [sys.argv[1], "--recycle", "1"]
        asked = subprocess.run(
            command, input="".join(lines), capture_output=True, text=True, check=True
        )
    answers = [json.loads(line) for line in asked.stdout.splitlines()]
    found = {case.name: outcome(answer) for case, answer in zip(cases, answers, strict=True)}
    write_recorded(ANSWERS, found)
    print(f"{len(found)} cases, {sum('error' in one for one in found.values())} errors")


if __name__ == "__main__":
    main()
