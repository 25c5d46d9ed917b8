"""Ask real Puppet and bunraku for values by the Hiera backends of modules, and compare the answers.

    modules_hiera.py FOLDER… --scratch FOLDER --reference COMMAND [--only TEXT] [--record FILE] [--verbose]

FOLDER has folders of modules, each named as its module. COMMAND speaks the batch protocol (docs/protocol.md) for real
Puppet. Configurations and data are written below ``--scratch``. Backends that need a network are listed and not asked.

Code of modules runs on both sides: start the program by ``isolated.sh``, without a network and with a read-only disk.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.modules.hiera import backends, compare
from support.modules.run import Figures, merged
from support.sites.outcomes import BUNRAKU, Program


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--reference", required=True, help="command of real Puppet")
    parser.add_argument("--scratch", required=True, type=Path, help="gets generated files")
    parser.add_argument("--only", default="", help="a part of the names of modules")
    parser.add_argument("--record", type=Path, help="write the figures as JSON")
    parser.add_argument("--verbose", action="store_true", help="print the figures of each module")
    options = parser.parse_args()
    folders = [one for folder in options.folders for one in sorted(folder.resolve().iterdir())]
    found: list[Figures] = []
    with Program(shlex.split(options.reference)) as puppet, Program(BUNRAKU) as bunraku:
        for module in folders:
            if options.only not in module.name or not any(backends(module)):
                continue
            figures = compare(module, options.scratch.resolve(), puppet, bunraku)
            found.append(figures)
            if options.verbose:
                print(f"{module.name}: {json.dumps(figures.as_json())}", flush=True)
    text = json.dumps(merged(found).as_json(), indent=1)
    print(text)
    if options.record:
        options.record.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
