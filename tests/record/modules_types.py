"""Compare the resource types of modules: as real Puppet has them after loading them, and as bunraku reads them.

    modules_types.py FOLDER [--debian] [--only TEXT]… [--record FILE]

FOLDER has the modules in ``releases``, as ``modules.py compare`` unpacks them, and receives their environments;
``--debian`` takes the modules of Debian's packages. FILE receives the numbers and the differences as JSON. Each
type is read fresh, from the cache in another process, and after changes of the files that it requires. Types that
Puppet cannot load are counted apart, by the reason.

Code of modules runs in Ruby: start the program by ``isolated.sh``, without a network and with a read-only disk.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rigs.modules.corpus import Library, Module, debian_modules, module_in
from rigs.modules.folders import report_differences
from rigs.modules.types import compare_types, questions


def unpacked(folder: Path) -> list[Module]:
    """Return the modules that a folder has."""
    found = sorted((folder / "releases").iterdir())
    return [module_in(one, one.name) for one in found if not one.name.startswith(".")]


def main() -> None:
    """Compare, print the numbers and the differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--debian", action="store_true")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT")
    parser.add_argument("--record", type=Path, metavar="FILE")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    modules = debian_modules() if options.debian else [*unpacked(options.folder), *debian_modules()]
    chosen = [one for one in modules if all(text in one.label for text in options.only)]
    asked = list(questions(Library(modules, options.folder.resolve()), chosen))
    with tempfile.TemporaryDirectory() as cache:
        figures = asdict(compare_types(asked, Path(cache)))
    report_differences(figures, options.record)


if __name__ == "__main__":
    main()
