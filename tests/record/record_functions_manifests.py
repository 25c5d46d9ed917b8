"""Record Puppet's results for calls in whole manifests: ``functions_manifests.json``.

PYTHONPATH=tests python tests/record/record_functions_manifests.py /work/shared/oracle/puppet7
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from support.function_manifests import FACTS, MODULEPATH, ROOT, all_cases, lay_out
from support.recorded import write_recorded

LEVELS = ("alert", "crit", "emerg", "err", "info", "warning")


def outcome(answer: dict[str, Any], name: str) -> dict[str, Any] | None:
    """The recorded part of an answer; None if a crash or the clock decides it."""
    kept: dict[str, Any] = {"n": [entry["message"] for entry in answer.get("notices") or []]}
    if any("0x0000" in text for text in kept["n"]) or answer["status"] in {"crash", "timeout"}:
        return None
    error = answer.get("error")
    if error:
        if "undefined method" in error["message"] or "no implicit conversion" in error["message"]:
            return {**kept, "e": None}  # Ruby stumbles; the line says nothing
        # The line of a function of the library in Puppet is that of its own file.
        return {**kept, "e": None if name == "stdlib::deferrable_epp" else error.get("line")}
    if name in LEVELS:
        logs = [[entry["level"], entry["message"]] for entry in answer["logs"]]
        kept["l"] = [entry for entry in logs if entry[0] == name]
    for letter, field in (("r", "resources"), ("v", "virtual")):
        found = [
            [f"{one['type']}[{one['title']}]", one["parameters"], one["tags"], one["exported"]]
            for one in answer.get(field) or []
        ]
        if found:
            kept[letter] = found
    for letter, field in (("c", "classes"), ("d", "edges"), ("s", "relationships")):
        if answer.get(field):
            kept[letter] = answer[field]
    return kept


def main() -> None:
    """Ask, and write the answers."""
    lay_out()
    asked = all_cases()
    requests = "".join(
        json.dumps(
            {
                "id": str(number),
                "code": code,
                "as_file": True,
                "facts": {**FACTS, **facts},
                "modulepath": MODULEPATH,
                "settings": {
                    "strict": "warning"
                    if name.startswith(("hiera", "is_", "validate_"))
                    else "error",
                    "strict_variables": True,
                    "hiera_config": f"{ROOT}/hiera.yaml",
                },
            }
        )
        + "\n"
        for number, (name, code, facts) in enumerate(asked)
    )
    answers = subprocess.run(
        ["nice", "-n", "5", sys.argv[1]], input=requests, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    rows = []
    for case, line in zip(asked, answers, strict=True):
        kept = outcome(json.loads(line), case[0])
        if kept is not None:
            rows.append([*case, kept])
    path = write_recorded("functions_manifests", rows)
    print(f"{len(rows)} of {len(asked)} cases, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
