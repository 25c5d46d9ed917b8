"""Record Puppet's result for each class of Debian's modules, as ``tests/data/classes.json``.

    record_classes.py COMMAND…              asks COMMAND, which speaks the batch protocol
    record_classes.py --answers FILE PATH   takes the answers of a former run with modulepath PATH

The Debian packages of ``tests/debian-packages.txt`` must be installed.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.conformance import ask
from support.debian_classes import (
    DATA,
    class_names,
    installed_versions,
    kept,
    lay_out_modules,
    request,
)


def main() -> None:
    names = class_names()
    if sys.argv[1] == "--answers":
        modulepath = sys.argv[3]
        answers = [json.loads(line) for line in Path(sys.argv[2]).read_bytes().splitlines()]
    else:
        modulepath = lay_out_modules(Path(tempfile.mkdtemp()))
        answers = ask([request(name, modulepath) for name in names], sys.argv[1:])
    recorded = {
        "packages": installed_versions(),
        "classes": {
            name: kept(answer, modulepath) for name, answer in zip(names, answers, strict=True)
        },
    }
    text = json.dumps(recorded, indent=1) + "\n"
    (DATA / "classes.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
