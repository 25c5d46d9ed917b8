"""Ask real Puppet and bunraku for values by the Hiera backends of modules, and compare the answers.

    modules_hiera.py FOLDER… --scratch FOLDER --reference COMMAND [--only TEXT] [--record FILE] [--verbose]

FOLDER has folders of modules, each named as its module. COMMAND speaks the batch protocol (docs/protocol.md) for real
Puppet. Configurations and data are written below ``--scratch``. Backends that need a network are listed and not asked.

Code of modules runs on both sides: start the program by ``isolated.sh``, without a network and with a read-only disk.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rigs.modules.folders import folder_parser, module_folders, print_figures, report
from rigs.modules.hiera import backends, compare
from rigs.modules.run import Figures, merged
from rigs.sites.outcomes import BUNRAKU, Program


def main() -> None:
    parser = folder_parser(__doc__)
    parser.add_argument("--reference", required=True, help="command of real Puppet")
    parser.add_argument("--scratch", required=True, type=Path, help="gets generated files")
    options = parser.parse_args()
    found: list[Figures] = []
    with Program(shlex.split(options.reference)) as puppet, Program(BUNRAKU) as bunraku:
        for module in module_folders(options):
            if any(backends(module)):
                figures = compare(module, options.scratch.resolve(), puppet, bunraku)
                found.append(figures)
                print_figures(options, module.name, figures.as_json())
    report(options, merged(found).as_json())


if __name__ == "__main__":
    main()
