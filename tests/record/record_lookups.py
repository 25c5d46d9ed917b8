"""Record the results and explanations of ``puppet lookup``, over generated hierarchies.

    python tests/record/record_lookups.py         write a sample to tests/data/lookup_explanations
    python tests/record/record_lookups.py --all   compare every lookup of every hierarchy, keep none

The hierarchies are those of tests/data/hiera_lookups.json whose id is r and a number. Needs Puppet 7.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from hiera import test_hiera  # noqa: E402
from support.explanations import bare  # noqa: E402
from support.recorded import recorded, write_recorded  # noqa: E402

DRIVER = Path(__file__).with_name("lookup_driver.rb")
SAMPLE = 5  # lookups of each hierarchy
# Ruby's deep merge changes the very arrays that were found, so Puppet's explanation shows in
# these what a later merge made of them.
CHANGED_LATER = {("r5", "m::c"), ("r5", "m::c.k.j"), ("r33", "n::a"), ("r22", "d")}
MODES = [
    {"explain": True},
    {"explain": True, "explain_options": True},
    {"explain": True},
    {"explain_options": True},
]


def cases(everything: bool) -> list[dict]:
    """The hierarchies with the lookups to make."""
    found = []
    for case in recorded("hiera_lookups"):
        if not case["id"].startswith("r") or not case["id"][1:].isdigit():
            continue
        number = int(case["id"][1:])
        lookups = [
            {"keys": [one[0]], "merge": one[1] if len(one) > 1 else None, **MODES[at % 4]}
            for at, one in enumerate(case["lookups"])
            if (case["id"], one[0]) not in CHANGED_LATER
        ]
        if not everything:
            step = max(1, len(lookups) // SAMPLE)
            lookups = lookups[number % step :: step][:SAMPLE]
        found.append({**case, "lookups": lookups})
    return found


def ask_puppet(chosen: list[dict]) -> list[list[dict]]:
    """Puppet's answers, with the folder of a case as ``/D``."""
    with tempfile.TemporaryDirectory() as folder:
        lines = []
        for number, case in enumerate(chosen):
            root = Path(folder) / str(number)
            for path, text in case["files"].items():
                file = root / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            (root / "environments/production").mkdir(parents=True, exist_ok=True)
            request = {
                "root": str(root),
                "node": "testnode.example.com",
                "facts": case.get("facts", {}),
                "vars": case.get("vars", {}),
                "lookups": case["lookups"],
            }
            lines.append(json.dumps(request) + "\n")
        done = subprocess.run(
            ["ruby", DRIVER], input="".join(lines), capture_output=True, text=True, check=True
        )
        answers = done.stdout.splitlines()
        return [
            json.loads(line.replace(f"{folder}/{number}/", "/D/"))
            for number, line in enumerate(answers)
        ]


def expected(answer: dict) -> dict:
    """The recorded part of an answer."""
    kept = {"value": answer["value"]} if "value" in answer else {"error": True}
    if "data" in answer:
        kept["tree"] = bare(answer["data"])
    return kept


def main() -> None:
    """Record, or compare."""
    chosen = cases("--all" in sys.argv)
    answers = ask_puppet(chosen)
    for case, given in zip(chosen, answers, strict=True):
        case["expected"] = [expected(answer) for answer in given]
    if "--all" in sys.argv:
        wrong = [found for case in chosen for found in test_hiera.disagreements(case)]
        print(sum(len(case["lookups"]) for case in chosen), "lookups,", len(wrong), "differ")
        for one in wrong[:20]:
            print(json.dumps(one)[:3000])
        return
    write_recorded("lookup_explanations", chosen)
    print(sum(len(case["lookups"]) for case in chosen), "lookups of", len(chosen), "hierarchies")


if __name__ == "__main__":
    main()
