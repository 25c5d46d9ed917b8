"""Pack the results of Puppet 3.8.7's parser for the recorded cases.

    record_puppet_3_parsing.py FOLDER

FOLDER holds ``*.jsonl`` with a case a line; the manifests themselves are in ``recorded.jsonl.gz``
already, so only what was refused is kept, as ``tests/conformance/puppet_3_parsing.json``: case →
line and the token at which Puppet gave up (empty at the end of the text, null where it is not
told); ``unknown`` lists the cases that 3.8.7 was not asked about.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.recorded import in_rows

TARGET = Path(__file__).parents[1] / "conformance" / "puppet_3_parsing.json"
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
    data = {"refused": refused, "unknown": unknown}
    TARGET.write_text(in_rows(data) + "\n", encoding="utf-8")
    print(f"{TARGET.name}: {len(refused)} refused, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
