"""Record what r10k's loader makes of the Puppetfiles of ``tests/project/puppetfiles.jsonl``.

    record_puppetfiles.py R10K

``R10K`` is a checkout of r10k 5.0.2, whose gems are installed. A new case is a line with its ``text``.
The field ``differs`` has the reason for a case in which bunraku differs on purpose.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

CASES = Path(__file__).parents[1] / "project" / "puppetfiles.jsonl"
LOADER = Path(__file__).with_name("puppetfile_loader.rb")
KEPT = ("text", "differs")


def main(r10k: str) -> None:
    """Write the answers beside the texts."""
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    done = subprocess.run(
        ["ruby", "-W0", "-I", f"{r10k}/lib", str(LOADER)],
        input="".join(json.dumps({"text": one["text"]}) + "\n" for one in cases),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    lines = [
        json.dumps({**{key: case[key] for key in KEPT if key in case}, **answer})
        for case, answer in zip(cases, answers, strict=True)
    ]
    CASES.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
