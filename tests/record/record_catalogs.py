"""Record Puppet's results for ``tests/catalogs/*``.

    record_catalogs.py COMMAND…

COMMAND speaks the batch protocol for a real Puppet.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.catalogs import FOLDER, compared, names, request
from support.conformance import ask


def main() -> None:
    cases = names()
    for name, answer in zip(cases, ask(map(request, cases), sys.argv[1:]), strict=True):
        if answer["status"] != "ok":
            sys.exit(f"{name}: {answer['error']}")
        text = json.dumps(compared(name, answer), indent=1, ensure_ascii=False)
        (FOLDER / name / "catalog.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
