"""Write the mistakes of tests/data/mismatches.pp and their messages into docs/types.md.

    update_types_page.py [--record ORACLE]

``--record`` asks a real Puppet for its messages first, and keeps them in tests/data/mismatches.json.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from bunraku.jobs.batch import answer

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "data" / "mismatches.pp"
RECORDED = ROOT / "tests" / "data" / "mismatches.json"
PAGE = ROOT / "docs" / "types.md"
BEGIN, END = "<!-- messages: begin -->", "<!-- messages: end -->"
PREFIX = re.compile(r"^Evaluation Error: Error while evaluating an? [A-Za-z ]+, ")
SETTINGS = {"strict": "error", "strict_variables": True}


def main() -> None:
    """Write the page."""
    if sys.argv[1:2] == ["--record"]:
        record(sys.argv[2])
    PAGE.write_text(page(), encoding="utf-8")


def cases() -> list[tuple[str, str]]:
    """The name and the code of each mistake."""
    parts = CASES.read_text(encoding="utf-8").split("## ")[1:]
    return [(name, code.strip("\n")) for name, _, code in (part.partition("\n") for part in parts)]


def request(code: str) -> str:
    """The batch request of a mistake."""
    return json.dumps({"id": "x", "code": code, "settings": SETTINGS})


def record(oracle: str) -> None:
    """Keep Puppet's messages."""
    lines = "".join(request(code) + "\n" for _, code in cases())
    done = subprocess.run([oracle], input=lines, capture_output=True, text=True, check=True)
    answers = map(json.loads, done.stdout.splitlines())
    found = {
        name: PREFIX.sub("", one["error"]["message"])
        for (name, _), one in zip(cases(), answers, strict=True)
    }
    RECORDED.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")


def ours(code: str) -> str:
    """bunraku's messages."""
    message: str = json.loads(answer(request(code).encode()))["error"]["message"]
    return message


def page() -> str:
    """The page as it should be."""
    theirs = json.loads(RECORDED.read_text(encoding="utf-8"))
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    sections = [
        f"### {name}\n\n```puppet\n{code}\n```\n\nbunraku:\n\n{block(ours(code))}\n"
        f"\nPuppet:\n\n{block(theirs[name])}\n"
        for name, code in cases()
    ]
    return f"{before}{BEGIN}\n\n" + "\n".join(sections) + f"\n{END}{after}"


def block(text: str) -> str:
    """Words as they are, indented."""
    return "\n".join(f"    {line}" for line in text.split("\n"))


if __name__ == "__main__":
    main()
