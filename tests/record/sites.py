"""Compile the nodes of a site with real Puppet and with bunraku, and compare everything.

    sites.py SITE --repositories FOLDER [--given FILE] [--scratch FOLDER] [--classes] [--only TEXT]…
             [--limit NUMBER] [--verbose] [--places] [--no-isolation] [--record FILE]

SITE is a folder with the git repository of a site (``repo``, or the folder itself). Its environment directory is laid out
in the scratch folder as on a server, with the modules of the Puppetfile from FOLDER. bunraku is run there as users
run it: ``bunraku compile --nodes``. It compiles all nodes, again in a second process with the cache on disk, a third time
only what changed, and in one process one by one in another order: each time with the same bytes. Puppet runs as on a
server (``compile_environment.rb``); its answers are stored in the scratch folder.

Nodes are the node definitions of the site, the machines that have data, the classes for roles and profiles (with
``--classes``, or where these are few: all classes of the site), and those that the owner lists. ``--given`` names a TOML
file with what only the owner can say; ``tests/data/sites/README.md`` describes it. Data that the repository lacks is
generated for the types that manifests declare, and for keys that Puppet misses. ``--places`` compares only the places of
errors. ``--record`` puts the numbers into a JSON file, of which ``sites_table.py`` makes docs/real-repositories.md.

Code of sites runs on both sides: without a network and with a read-only disk (``isolated.sh``, as root).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rigs.sites.run import Options, run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("site", type=Path)
    parser.add_argument("--repositories", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--given", type=Path, metavar="FILE")
    parser.add_argument("--scratch", type=Path, default=Path("/var/tmp/bunraku-sites"))
    parser.add_argument("--classes", action="store_true", help="all classes of the site's modules")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT")
    parser.add_argument("--limit", type=int, default=0, help="at most so many nodes")
    parser.add_argument("--verbose", action="store_true", help="each node and its differences")
    parser.add_argument("--places", dest="errors", action="store_false")
    parser.add_argument("--no-isolation", dest="isolate", action="store_false")
    parser.add_argument("--record", type=Path, metavar="FILE")
    run(Options(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
