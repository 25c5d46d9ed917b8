"""Record Puppet's results about types and values: instance of, within, equal, in common.

    record_types.py ORACLE TYPES VALUES

TYPES and VALUES hold an expression a line. Truth tables are strings of ``1``, ``0`` and ``?`` (where
Puppet itself fails), a string for each row.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.recorded import write_recorded


def truth(expression: str) -> str:
    """An expression's truth as 0 or 1; Puppet's own operators also give undef and strings."""
    return f"(!({expression})) ? {{ true => 0, default => 1 }}"


MODES = ("detailed", "reduced", "generalized")


class Oracle:
    """A real Puppet that answers many manifests in one run."""

    def __init__(self, command: str) -> None:
        self.command = command

    def ask(self, codes: list[str]) -> list[list[str] | str]:
        """The notices of each manifest, or the code of its error."""
        lines = "".join(json.dumps({"id": "x", "code": code}) + "\n" for code in codes)
        done = subprocess.run(
            [self.command], input=lines, capture_output=True, text=True, check=True
        )
        answers: list[list[str] | str] = []
        for line in done.stdout.splitlines():
            answer = json.loads(line)
            if answer["status"] == "ok":
                answers.append([notice["message"] for notice in answer["notices"]])
            else:
                answers.append((answer.get("error") or {}).get("issue_code") or "?")
        return answers

    def texts(self, expressions: list[str]) -> list[str | None]:
        """Each expression as notice() shows it; None where it fails."""
        answers = self.ask([f"notice({text})" for text in expressions])
        return [answer[0] if isinstance(answer, list) else None for answer in answers]

    def table(self, rows: list[str], columns: list[str], operator: str) -> list[str]:
        """Whether ``column operator row`` is true, for each row and column."""
        codes = [
            "notice([" + ",".join(truth(f"{c} {operator} {r}") for c in columns) + "])"
            for r in rows
        ]
        found = []
        for row, answer in zip(rows, self.ask(codes), strict=True):
            if isinstance(answer, list):
                found.append(re.sub(r"[^01]", "", answer[0]))
                continue
            single = self.texts([truth(f"{c} {operator} {row}") for c in columns])
            found.append("".join(text or "?" for text in single))
        return found


def main() -> None:
    """Ask everything and write ``tests/data/types_recorded.json``."""
    oracle = Oracle(sys.argv[1])
    types, values = (
        [line for line in Path(name).read_text().splitlines() if line] for name in sys.argv[2:4]
    )
    both = values + types
    chosen = random.Random(1)
    pairs = [(chosen.choice(types), chosen.choice(types)) for _ in range(700)]
    pairs += [(chosen.choice(values), chosen.choice(values)) for _ in range(700)]
    in_common = oracle.texts([f"type([{a}, {b}], reduced)" for a, b in pairs])
    recording = {
        "types": types,
        "values": values,
        "instance": oracle.table(types, values, "=~"),
        "assignable": oracle.table(types, types, "<="),
        "equal": oracle.table(values, values, "=="),
        "text": oracle.texts(both),
        **{mode: oracle.texts([f"type({text}, {mode})" for text in both]) for mode in MODES},
        "common": [[a, b, text] for (a, b), text in zip(pairs, in_common, strict=True)],
    }
    write_recorded("types_recorded", recording)


if __name__ == "__main__":
    main()
