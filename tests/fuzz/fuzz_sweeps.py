"""Sweep over all values of all attributes, and over all damaged forms of files that commands read.

    python tests/fuzz/fuzz_sweeps.py [NAME]...

NAME is ``attributes``, ``secrets``, ``deferred``, a resource type or a file of ``support/damaged_files.py``; without one,
all are done. The exit code is 1 when there are finds.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bunraku.providers.registry import type_names
from support.attribute_runs import crashes, leaks
from support.damaged_files import FILES, finds
from support.deferred_runs import differences


def main() -> int:
    """Run the sweeps that are named; return 1 when there are finds."""
    names = sys.argv[1:]
    count = 0
    for find in found(names):
        print(find, flush=True)
        count += 1
    print(f"{count} finds")
    return 1 if count else 0


def found(names: list[str]) -> Iterator[str]:
    """Yield the finds of the sweeps that are named, of all without names."""
    for type_ in type_names():
        if not names or not {"attributes", type_}.isdisjoint(names):
            yield from crashes(type_, every=True)
        if not names or not {"secrets", type_}.isdisjoint(names):
            yield from leaks(type_, every=True)
        if not names or not {"deferred", type_}.isdisjoint(names):
            yield from differences(type_, every=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in FILES:
            if not names or name in names:
                yield from finds(name, Path(folder, "site"), 0)


if __name__ == "__main__":
    sys.exit(main())
