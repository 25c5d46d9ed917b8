"""Pack the recorded outcomes of Puppet 8 into one small file of this project.

    pack_recorded.py FOLDER

FOLDER holds ``*.jsonl`` with a case a line and its outcome under three programs; what the modern one
did is kept, in the order of the files, as ``tests/conformance/recorded.jsonl.gz``.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

TARGET = Path(__file__).parents[1] / "conformance" / "recorded.jsonl.gz"


def main() -> None:
    lines = []
    for path in sorted(Path(sys.argv[1]).glob("*.jsonl")):
        for line in path.read_bytes().split(b"\n"):
            if line.strip():
                case = json.loads(line)
                case["expect"] = case.pop("modern")
                del case["legacy"], case["future"]
                case["expect"].get("error", {}).pop("message", None)
                lines.append(json.dumps(case, ensure_ascii=False, separators=(",", ":")))
    data = "\n".join([*lines, ""]).encode("utf-8", "surrogatepass")
    TARGET.write_bytes(gzip.compress(data, 9, mtime=0))
    print(f"{TARGET.name}: {len(lines)} cases, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
