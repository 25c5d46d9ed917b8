"""Options that give a node without facts those of an operating system."""

from __future__ import annotations

from bunraku.cli.options.shared import TakesOptions


def add_fact_set_options(parser: TakesOptions) -> None:
    """Add ``--os`` and ``--facterdb``."""
    parser.add_argument(
        "--os",
        metavar="NAME",
        help="the facts of an operating system, such as debian-12 or "
        "debian-12-x86_64, with names of the node",
    )
    add_facterdb_option(parser)


def add_facterdb_option(parser: TakesOptions) -> None:
    """Add ``--facterdb``."""
    parser.add_argument(
        "--facterdb",
        metavar="DIR",
        help="the directory facts of FacterDB (default: the installed gem or package, and built-in facts)",
    )
