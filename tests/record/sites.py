"""Compile the nodes of a site on real Puppet and on bunraku, and compare everything.

    sites.py CHECKOUT --reference COMMAND [--modulepath FOLDER]…
             [--outside PATH=FOLDER]… [--given FILE] [--scratch FOLDER]
             [--classes] [--only TEXT]… [--verbose] [--record FILE]

A site is a checkout of a repository with the Puppet code of many machines. Its nodes are its node
definitions, the machines that have data of their own, and the classes of its modules for roles and profiles
(with ``--classes``, or where these are few: all of its classes). Facts are those of a made-up machine with the
system that the site mentions most, or with another where real Puppet does not compile the first. Data that
the site does not hold are made up for the types that its manifests declare.

COMMAND speaks the batch protocol (docs/protocol.md) for real Puppet; its answers are kept in the scratch
folder, so that a later run asks it only what changed. ``--modulepath`` adds the modules that the site takes
from elsewhere; ``--outside`` says where a folder of the server's is here. ``--given`` names a TOML file with what only the owner of the site can say: ``domain``,
``systems``, and the tables ``outside`` (path on the server → path here), ``facts``, ``data``, ``settings``.
``--record`` puts the numbers into a JSON file, of which ``sites_table.py`` makes docs/real-repositories.md.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.sites.run import Options, run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--reference", required=True, help="command of real Puppet")
    parser.add_argument("--modulepath", action="append", default=[], metavar="FOLDER")
    parser.add_argument("--outside", action="append", default=[], metavar="PATH=FOLDER")
    parser.add_argument("--given", type=Path, metavar="FILE")
    parser.add_argument("--scratch", type=Path, default=Path("/tmp/bunraku-sites"))
    parser.add_argument("--classes", action="store_true", help="all classes of the site's modules")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT")
    parser.add_argument("--limit", type=int, default=0, help="at most so many nodes")
    parser.add_argument("--verbose", action="store_true", help="each node and its differences")
    parser.add_argument("--record", type=Path, metavar="FILE")
    run(Options(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
