"""Record what Puppet Strings makes of the modules in ``tests/workbench/docs/cases``: NAME.json and NAME.md.

    GEM_PATH=… tests/record/record_strings.py [NAME…]

It needs ``puppet strings`` (Debian: puppet-strings 2.9.0 with YARD 0.9.28).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CASES = Path(__file__).parents[1] / "workbench" / "docs" / "cases"
FORMATS = {"json": "json", "markdown": "md"}


def record(module: Path) -> None:
    """Write both documents of one module beside it."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / module.name
        shutil.copytree(module, copy)
        for form, ending in FORMATS.items():
            out = CASES / f"{module.name}.{ending}"
            command = ["puppet", "strings", "generate", "--format", form, "--out", str(out)]
            subprocess.run(command, cwd=copy, check=True)


def main() -> None:
    """Record the named modules, or all."""
    names = sys.argv[1:] or [path.name for path in CASES.iterdir() if path.is_dir()]
    for name in sorted(names):
        record(CASES / name)


if __name__ == "__main__":
    main()
