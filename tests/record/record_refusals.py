"""Record which of the resources in ``tests/apply/wrong_values.pp`` Puppet refuses to make, and why.

Needs Ruby and Puppet. Nothing is applied.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from bunraku.catalog.rich_data import to_data  # noqa: E402, the path first
from support.wrong_values import RECORDED, catalog_of, lines  # noqa: E402


def main() -> None:
    """Write the answers beside the resources."""
    given = lines()
    asked = []
    for line in given:
        resource = catalog_of(line).resources[-1]
        fields = {"type": resource.type, "title": resource.title}
        asked.append(json.dumps({**fields, "parameters": to_data(dict(resource.parameters))}))
    done = subprocess.run(
        ["ruby", str(Path(__file__).with_name("refusals.rb"))],
        input="".join(f"{line}\n" for line in asked),
        capture_output=True,
        text=True,
        check=True,
    )
    refusals = [json.loads(line) for line in done.stdout.splitlines()]
    found = dict(zip(given, refusals, strict=True))
    RECORDED.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
