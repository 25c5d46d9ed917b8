"""Compile each class of mozilla-releng/build-puppet, a repository of Puppet 3's time, under 3.8.

    old_repository.py CHECKOUT [--write] [--verbose] [CLASS…]

Prints how many manifests parse and how many classes compile, and the failures by their message;
``--verbose`` with the message of each machine. ``--write`` keeps the classes' names and machines in
``tests/data/old_repository.json``. What is given to them and how: ``tests/support/old_repository.py``.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.old_repository import (
    DATA,
    classes,
    grouped,
    machine_counts,
    outcomes,
    programs,
)


def main() -> None:
    options = {one for one in sys.argv[1:] if one.startswith("--")}
    checkout, *chosen = (one for one in sys.argv[1:] if not one.startswith("--"))
    root = Path(checkout).resolve()
    if not chosen:
        found = [errors for _, _, errors in programs(root)]
        print(f"{sum(not errors for errors in found)} of {len(found)} manifests parse")
    names = chosen or list(classes(root))
    with tempfile.TemporaryDirectory() as folder:
        results = outcomes(root, Path(folder), names)
    compiled = [result for result in results if result.machine]
    print(f"{len(compiled)} of {len(names)} classes compile: {machine_counts(results)}")
    for message, failed in grouped(results):
        print(f"\n{len(failed)} {message}\n    {' '.join(failed)}")
    if "--verbose" in options:
        for result in results:
            for machine, message in result.messages.items():
                print(f"{result.name} on {machine}: {message}")
    if "--write" in options:
        kept = {result.name: result.machine for result in compiled}
        (DATA / "old_repository.json").write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
