"""Pack the recorded outcomes of Puppet 8 and 3.8 into one small file of this project.

    pack_recorded.py FOLDER

FOLDER holds ``*.jsonl`` with a case a line and its outcome under each program. A line of
``tests/conformance/recorded.jsonl.gz`` is a case with its outcomes by dialect under ``expect``; an
outcome that is that of ``puppet_8`` is the text ``same``, one that is not there was not recorded.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

TARGET = Path(__file__).parents[1] / "conformance" / "recorded.jsonl.gz"
DIALECTS = {"modern": "puppet_8", "future": "future_parser", "legacy": "puppet_3_8"}
"""Key in the recordings → dialect; others may have the same result as the first."""


def packed(case: dict) -> dict:
    """A case with its outcomes in one place, without the words of messages."""
    outcomes = {dialect: case.pop(key, None) for key, dialect in DIALECTS.items()}
    found = {}
    for name, outcome in outcomes.items():
        if not outcome:
            continue
        outcome.get("error", {}).pop("message", None)
        if "warnings" in outcome:
            outcome["warnings"] = len(outcome["warnings"])
        found[name] = "same" if name != "puppet_8" and outcome == outcomes["puppet_8"] else outcome
    return {**case, "expect": found}


def main() -> None:
    lines = []
    for path in sorted(Path(sys.argv[1]).glob("*.jsonl")):
        for line in path.read_bytes().split(b"\n"):
            if line.strip():
                case = packed(json.loads(line))
                lines.append(json.dumps(case, ensure_ascii=False, separators=(",", ":")))
    data = "\n".join([*lines, ""]).encode("utf-8", "surrogatepass")
    TARGET.write_bytes(gzip.compress(data, 9, mtime=0))
    print(f"{TARGET.name}: {len(lines)} cases, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
