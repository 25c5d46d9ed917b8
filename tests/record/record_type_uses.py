"""Record what real Puppet says to manifests that use resource types, as ``tests/data/type_uses.json``.

    record_type_uses.py COMMAND…

COMMAND speaks the batch protocol for a real Puppet.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.conformance import ask
from support.recorded import write_recorded
from support.type_uses import requests, result


def main() -> None:
    """Ask and record."""
    with tempfile.TemporaryDirectory() as folder:
        asked = requests(Path(folder))
        answers = [result(one) for one in ask(asked, sys.argv[1:])]
    rows = [[one["id"], *answer] for one, answer in zip(asked, answers, strict=True)]
    print(f"{len(rows)} answers in {write_recorded('type_uses', rows)}")


if __name__ == "__main__":
    main()
