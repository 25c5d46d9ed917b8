"""Pack what Puppet 3.8.7's parser said of the recorded cases.

    pack_legacy_parsing.py FOLDER

FOLDER holds ``*.jsonl`` with a case a line; the manifests themselves are in ``recorded.jsonl.gz``
already, so only what was refused is kept, as ``tests/conformance/legacy_parsing.json.gz``: case →
line and the token at which Puppet gave up (empty at the end of the text, null where it is not
told); ``unknown`` lists the cases that 3.8.7 was not asked about.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from pathlib import Path

TARGET = Path(__file__).parents[1] / "conformance" / "legacy_parsing.json.gz"
TOKEN = re.compile(r"Syntax error at (?:end of file|'(.*?)')(?:; expected '.*')?", re.DOTALL)


def main() -> None:
    refused: dict[str, list] = {}
    unknown = []
    for path in sorted(Path(sys.argv[1]).glob("*.jsonl")):
        for line in path.read_bytes().split(b"\n"):
            if not line.strip():
                continue
            case = json.loads(line)
            outcome = case.get("legacy")
            if outcome is None:
                unknown.append(case["id"])
            elif outcome.get("error", {}).get("phase") == "parse":
                error = outcome["error"]
                token = TOKEN.fullmatch(error.get("message", ""))
                refused[case["id"]] = [error["line"], token and (token[1] or "")]
    data = json.dumps({"refused": refused, "unknown": unknown}, ensure_ascii=False).encode()
    TARGET.write_bytes(gzip.compress(data, 9, mtime=0))
    print(f"{TARGET.name}: {len(refused)} refused, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
