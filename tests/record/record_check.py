"""Record the errors that Puppet finds in small manifests.

    record_check.py ORACLE tests/language/check.txt [tasks] > tests/language/check.json

Manifests are separated by lines of ``---``. Each is recorded with the places and (where Puppet
tells it, that is for a single mistake) the code of its mistakes: ``[line, column, code]``. Those
that make Puppet itself fail, and those that it evaluates at once, are left out.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

STRICT = {"strict": "error", "strict_variables": True}


def mistakes(answer: dict[str, Any]) -> list[list[Any]] | None:
    """The mistakes that an answer of the oracle tells; None when it is not to be used."""
    error = answer["error"]
    if answer["status"] != "parse_error":
        return []
    message = str(error["message"])
    if not error["class"].startswith("Puppet::ParseError") or "Evaluation Error" in message:
        return None
    logged = [
        [item.get("line"), item.get("pos"), None]
        for item in answer["logs"]
        if item["level"] == "err"
    ]
    if error["line"] is None and error.get("issue_code") is None and logged:
        return logged
    return [[error["line"], error["pos"], error.get("issue_code")]]


def main() -> None:
    """Ask, and print JSON."""
    oracle, sources = sys.argv[1:3]
    settings: dict[str, Any] = STRICT | ({"tasks": True} if "tasks" in sys.argv[3:] else {})
    codes = Path(sources).read_text("utf-8").removesuffix("\n").split("\n---\n")
    lines = [json.dumps({"id": "", "code": code, "settings": settings}) for code in codes]
    done = subprocess.run(
        [oracle], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
    )
    answers = [mistakes(json.loads(line)) for line in done.stdout.splitlines()]
    found = [
        json.dumps([code, expected], ensure_ascii=True)
        for code, expected in zip(codes, answers, strict=True)
        if expected is not None
    ]
    print("[\n" + ",\n".join(found) + "\n]")


if __name__ == "__main__":
    main()
