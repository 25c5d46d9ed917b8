"""Record how real Puppet writes values into catalogs, as ``tests/data/rich_data.json``.

    record_rich_data.py COMMAND…

COMMAND speaks the batch protocol for a real Puppet.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
sys.path.insert(0, str(DATA.parent))

from support.conformance import ask  # noqa: E402, the path first
from support.rich_data import parameters, request  # noqa: E402


def main() -> None:
    values = (DATA / "rich_data_values.txt").read_text(encoding="utf-8").splitlines()
    answers = ask(map(request, values), sys.argv[1:])
    recorded = [[value, *parameters(one)] for value, one in zip(values, answers, strict=True)]
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in recorded)
    (DATA / "rich_data.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
