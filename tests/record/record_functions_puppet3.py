"""Pack the results of Puppet 3.8.7 for calls of functions: ``tests/data/functions_puppet3.json``.

Run with the folder of the recordings (see ``tests/conformance``) as the only argument.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.recorded import write_recorded

TOPICS = ("function-arguments", "functions-catalog", "functions-values", "templates")
GIVEN = ("facts", "settings", "modules")


def outcome(recorded: dict[str, object]) -> object:
    """The notices, how many warnings there are, and the resources; ``error`` for an error."""
    if "error" in recorded:
        return "error"
    warnings = recorded.get("warnings") or []
    assert isinstance(warnings, list)
    return [recorded.get("notices"), len(warnings), recorded.get("resources")]


def rows(folder: Path) -> list[object]:
    """Case by case: name, code, other input, and the outcome."""
    found: list[object] = []
    for topic in TOPICS:
        for line in (folder / f"{topic}.jsonl").read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            recorded = case.get("legacy")
            phase = ((recorded or {}).get("error") or {}).get("phase")
            if recorded is None or phase == "parse":
                continue
            given = {name: case[name] for name in GIVEN if name in case}
            found.append([case["id"], case["code"], given, outcome(recorded)])
    return found


if __name__ == "__main__":
    write_recorded("functions_puppet3", rows(Path(sys.argv[1])))
