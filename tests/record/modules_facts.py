"""Ask real Facter and bunraku for the custom and external facts of modules, and compare the answers.

    modules_facts.py FOLDER… [--library FOLDER]… [--group NUMBER] [--only TEXT] [--record FILE] [--verbose]

FOLDER has unpacked modules, one in each of its folders. ``--group`` asks about several modules at once, as an agent
that has them all; a group that Facter cannot answer is asked again module by module. Ruby code of the modules may require code of the modules in
``--library``. Needs Ruby with Facter 4 and Puppet.

Code of modules runs on both sides: start the program by ``isolated.sh``, without a network and with a read-only disk.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rigs.modules.facts import Figures, compare, merged, with_facts
from rigs.modules.folders import folder_parser, module_folders, print_figures, report


def main() -> None:
    parser = folder_parser(__doc__)
    parser.add_argument("--library", action="append", default=[], type=Path)
    parser.add_argument("--group", default=1, type=int, help="modules of one question (default: 1)")
    options = parser.parse_args()
    chosen = with_facts(module_folders(options))
    libraries = [one.resolve() for one in options.library]
    found: list[Figures] = []
    waiting = [chosen[at : at + options.group] for at in range(0, len(chosen), options.group)]
    while waiting:
        group = waiting.pop(0)
        figures = compare(group, libraries)
        if figures.failed and len(group) > 1:
            waiting[:0] = [[one] for one in group]
            continue
        found.append(figures)
        print_figures(options, " ".join(one.name for one in group), figures.as_json())
    report(options, merged(found).as_json())


if __name__ == "__main__":
    main()
