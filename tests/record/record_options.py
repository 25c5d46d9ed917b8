"""Record what ``puppet apply`` prints and leaves for the calls of ``support/apply_options.py``.

Needs Ruby and Puppet. The calls only change files in a temporary directory.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from support.apply_options import CALLS, RECORDED, outcome, prepare, words  # noqa: E402, the path first


def main() -> None:
    """Write the outcomes."""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        prepare(directory)
        settings = [f"--{one}={directory / one[:-3]}" for one in ("confdir", "vardir")]
        settings += ["--facts_terminus=memory", "--certname=web1", "--color=false"]
        with subprocess.Popen(
            ["ruby", str(Path(__file__).with_name("options.rb"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as program:
            assert program.stdin is not None
            assert program.stdout is not None
            for call in CALLS:
                given = {"words": words(call, directory) + settings, "directory": name}
                program.stdin.write(json.dumps(given) + "\n")
                program.stdin.flush()
                data = json.loads(program.stdout.readline())
                result = outcome(data["exit"], data["stdout"], data["stderr"], directory)
                found[call] = result.data()
            program.stdin.close()
    RECORDED.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
