"""Serve PuppetDB's commands and queries from an SQLite file or PostgreSQL."""

from __future__ import annotations

import argparse

from bunraku.base.records import replace
from bunraku.base.usage import UsageError
from bunraku.cli.options.puppetdb import (
    add_configuration_option,
    add_server_options,
    add_storage_options,
)
from bunraku.cli.options.puppetdb_config import database_options
from bunraku.cli.options.shared import add_output_options
from bunraku.cli.puppetdb.contents import (
    describe_dashboard,
    export_database,
    import_database,
    load_demo,
)
from bunraku.cli.puppetdb.serve import serve_database

COMMAND = "puppetdb"
WITH_FILE = {"export": export_database, "import": import_database}
INTERMIXED = True
"""The file of an export may be named after options."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku puppetdb``."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=("serve", "demo", "export", "import"),
        default="serve",
        metavar="ACTION",
        help="serve (default); demo: load a synthetic site into a new file and serve it; export or "
        "import: write or read FILE in the format of 'puppetdb export'",
    )
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="the archive of export and import (.tgz)"
    )
    parser.add_argument(
        "--nodes",
        type=int,
        default=50,
        metavar="NUMBER",
        help="number of nodes of demo (default: 50)",
    )
    parser.add_argument("--anonymization", metavar="PROFILE", help=argparse.SUPPRESS)
    add_configuration_option(parser)
    add_server_options(parser)
    add_storage_options(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Do what the action says; UsageError without a database or a file."""
    chosen = database_options(options)
    with_file = WITH_FILE.get(chosen.action)
    if (with_file is None) != (not chosen.file):
        problem = "requires FILE" if with_file else "does not take a FILE"
        raise UsageError(f"{chosen.action} {problem}", COMMAND)
    if options.anonymization not in {None, "none"}:
        raise UsageError(
            "--anonymization is not supported; export without it and remove what others must not"
            " see, or use the export of PuppetDB",
            COMMAND,
        )
    if with_file is not None:
        return with_file(chosen)
    if chosen.action == "demo":
        load_demo(chosen)
        return serve_database(replace(chosen, gc_interval=0), describe_dashboard)
    return serve_database(chosen)
