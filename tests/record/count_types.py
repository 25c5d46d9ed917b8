"""Count the resource types that catalogs of real sites use, for the table on docs/resource-types.md.

    count_types.py CATALOGS FACTS [--again | [--modules FOLDER]…] [--module-paths FILE]

CATALOGS has a folder for each site with a catalog for each node, such as ``bunraku compile --nodes --output-folder``
writes them, and FACTS the facts of the nodes in the same shape. Folders of modules are those whose manifests
are searched for declarations. FILE is JSON, site → its module path: the types of these modules count as
native if bunraku can read their Ruby code. The numbers go to tests/data/type_use.json. With ``--again``, the catalogs
are those of some sites that were counted before: only the number of nodes without Ruby changes, by the types that
bunraku has since then.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from rigs.sites.type_use import Counted  # noqa: E402

DATA = TESTS / "data" / "type_use.json"


def main() -> None:
    """Count, and write the numbers."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("catalogs", type=Path)
    parser.add_argument("facts", type=Path)
    parser.add_argument("--modules", type=Path, action="append", default=[], metavar="FOLDER")
    parser.add_argument("--module-paths", type=Path, metavar="FILE")
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    counted = Counted()
    paths = json.loads(options.module_paths.read_bytes()) if options.module_paths else {}
    counted.add_catalogs(options.catalogs, options.facts, paths)
    modules = [
        one for folder in options.modules for one in sorted(folder.iterdir()) if one.is_dir()
    ]
    counted.add_modules(modules)
    data = counted.added_to(json.loads(DATA.read_bytes())) if options.again else counted.data()
    DATA.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
