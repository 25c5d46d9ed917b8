"""Ask real Facter and bunraku for the custom and external facts of modules, and compare the answers.

    modules_facts.py FOLDER… [--library FOLDER]… [--group NUMBER] [--systems NAMES] [--only TEXT] [--record FILE] [--verbose]

FOLDER has unpacked modules, one in each of its folders. ``--group`` asks about several modules at once, as an agent
that has them all; a group that Facter cannot answer is asked again module by module. Ruby code of the modules may require code of the modules in
``--library``. ``--systems debian,redhat`` (or ``all``) prepares machines with these operating systems, on which the programs
and files that facts read are installed. Needs Ruby with Facter 4 and Puppet.

Code of modules runs on both sides: start the program by ``isolated.sh``, without a network and with a read-only disk.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rigs.modules.fact_worlds import SYSTEMS, mount_files, write_programs, write_system
from rigs.modules.facts import Figures, compare, merged, with_facts
from rigs.modules.folders import folder_parser, module_folders, print_figures, report


def main() -> None:
    parser = folder_parser(__doc__)
    parser.add_argument("--library", action="append", default=[], type=Path)
    parser.add_argument("--group", default=1, type=int, help="modules of one question (default: 1)")
    parser.add_argument("--systems", default="", help="operating systems of prepared machines")
    options = parser.parse_args()
    names = list(SYSTEMS) if options.systems == "all" else options.systems.split(",")
    systems = prepared(names) if options.systems else [()]
    chosen = with_facts(module_folders(options))
    libraries = [one.resolve() for one in options.library]
    found: list[Figures] = []
    count = -(-len(chosen) // options.group)
    groups = [chosen[at::count] for at in range(count)]  # releases of a module are neighbours
    waiting = [(group, external) for group in groups for external in systems]
    while waiting:
        group, external = waiting.pop(0)
        figures = compare(group, libraries, external)
        if figures.failed and len(group) > 1:
            waiting[:0] = [([one], external) for one in group]
            continue
        found.append(figures)
        print_figures(options, " ".join(one.name for one in group), figures.as_json())
    report(options, merged(found).as_json())


def prepared(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Prepare this machine, in its mount namespace; return directories of external facts for each system."""
    scratch = Path(tempfile.mkdtemp())
    write_programs(scratch / "programs")
    mount_files(scratch / "layers", scratch / "programs")
    os.environ["PATH"] = f"{scratch}/programs:{os.environ['PATH']}"
    for name in names:
        write_system(scratch / name, name)
    return [(str(scratch / name),) for name in names]


if __name__ == "__main__":
    main()
