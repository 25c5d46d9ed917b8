"""Options that give a made-up node the facts of an operating system, from FacterDB."""

from __future__ import annotations

import argparse
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_imports import Imported
from bunraku.base.usage import UsageError
from bunraku.cli.options.facts_file import wrong_input
from bunraku.cli.options.node import node_name
from bunraku.cli.options.shared import TakesOptions

fact_set = Imported("bunraku.facts.facterdb", "fact_set")
facts_on_system = Imported("bunraku.facts.made_up", "facts_on_system")


def add_fact_set_options(parser: TakesOptions) -> None:
    """Add ``--os`` and ``--facterdb``."""
    parser.add_argument(
        "--os",
        metavar="NAME",
        help="the facts that FacterDB has for an operating system, such as debian-12 or "
        "debian-12-x86_64, with names of the node",
    )
    add_facterdb_option(parser)


def add_facterdb_option(parser: TakesOptions) -> None:
    """Add ``--facterdb``."""
    parser.add_argument(
        "--facterdb",
        metavar="DIR",
        help="the directory facts of FacterDB (default: that of the installed gem or package)",
    )


def system_facts(options: argparse.Namespace, node: str | None) -> dict[str, Any]:
    """Return the facts that ``--os`` gives a node, by default the machine of FacterDB; none without it.

    UsageError for an unknown operating system, and for ``--facterdb`` alone.
    """
    if options.os is None:
        if options.facterdb is not None:
            raise UsageError("--facterdb requires --os NAME")
        return {}
    try:
        found = fact_set(options.facterdb, options.os).facts()
    except PuppetError as error:
        raise wrong_input(error) from error
    environment = getattr(options, "environment", None)
    facts: dict[str, Any] = facts_on_system(node or node_name(found), found, environment)
    return facts
