"""Record which of the resources in ``tests/apply/wrong_values.pp`` Puppet refuses to make, and why.

Needs Ruby, Puppet and, in the directory that ``BUNRAKU_RIG_MODULES`` names, the modules that Debian
lacks or has in an old release: those that ``module`` in the types names, each in a directory of its
name. They are used only for the types that they contain, since they also add providers to types of
others. Nothing is applied.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from bunraku.catalog.rich_data import to_data  # noqa: E402, the path first
from support.wrong_values import RECORDED, catalog_of, lines  # noqa: E402

DEBIAN = "/usr/share/puppet/modules"


def main() -> None:
    """Write the answers beside the resources."""
    foreign = os.environ["BUNRAKU_RIG_MODULES"]
    own = {path.stem for path in Path(foreign).glob("*/lib/puppet/type/*.rb")}
    given = lines()
    of_debian = [line for line in given if line.split()[0] not in own]
    of_others = [line for line in given if line.split()[0] in own]
    found = refusals(of_debian, [DEBIAN]) | refusals(of_others, [foreign])
    ordered = {line: found[line] for line in given}
    RECORDED.write_text(json.dumps(ordered, indent=2) + "\n", encoding="utf-8")


def refusals(given: Sequence[str], folders: Sequence[str]) -> dict[str, str | None]:
    """Return Puppet's refusal of each resource, with the modules in some directories."""
    asked = []
    for line in given:
        resource = catalog_of(line).resources[-1]
        fields = {"type": resource.type, "title": resource.title}
        asked.append(json.dumps({**fields, "parameters": to_data(dict(resource.parameters))}))
    done = subprocess.run(
        ["ruby", str(Path(__file__).with_name("refusals.rb")), *folders],
        input="".join(f"{line}\n" for line in asked),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return dict(zip(given, answers, strict=True))


if __name__ == "__main__":
    main()
