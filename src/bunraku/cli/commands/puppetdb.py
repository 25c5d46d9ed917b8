"""Serve PuppetDB's commands and queries from an SQLite file or PostgreSQL."""

from __future__ import annotations

import argparse

from bunraku.base.excerpt import visible
from bunraku.base.records import replace
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.declarations import GENERAL, Rules, choice
from bunraku.cli.options.puppetdb import DATABASE, DATABASE_RULES
from bunraku.cli.options.puppetdb_config import database_options
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.dashboard import describe_dashboard
from bunraku.jobs.database_contents import export_database, import_database, load_demo
from bunraku.jobs.serve_database import serve_database
from bunraku.puppetdb.archive import Imported

COMMAND = "puppetdb"
WITH_FILE = ("export", "import")
"""The actions that take the file of an archive."""
INTERMIXED = True
"""The file of an export may be named after options."""


OPTIONS = f"""
action [ACTION]: serve (default); demo: load a synthetic site into a new file and serve it; export
    or import: write or read FILE in the format of 'puppetdb export'
file [FILE]: the archive of export and import (.tgz)
--nodes NUMBER: number of nodes of demo (default: 50)
--anonymization PROFILE
{DATABASE}
{GENERAL}
"""
RULES: Rules = {
    **DATABASE_RULES,
    "action": choice("serve", "demo", "export", "import"),
    "nodes": {"type": int, "default": 50},
}


def run(options: argparse.Namespace) -> int:
    """Do what the action says; UsageError without a database or a file."""
    chosen = database_options(options)
    takes_file = chosen.action in WITH_FILE
    if takes_file != bool(chosen.file):
        problem = "requires FILE" if takes_file else "does not take a FILE"
        raise UsageError(f"{chosen.action} {problem}", COMMAND)
    if options.anonymization not in {None, "none"}:
        raise UsageError(
            "--anonymization is not supported; export without it and remove what others must not"
            " see, or use the export of PuppetDB",
            COMMAND,
        )
    match chosen.action:
        case "export":
            export_database(chosen)
        case "import":
            return print_imported(import_database(chosen))
        case "demo":
            load_demo(chosen)
            write(f"{chosen.nodes} nodes are in {chosen.database}\n")
            serve_database(replace(chosen, gc_interval=0), ready, describe_dashboard)
        case _:
            serve_database(chosen, ready)
    return exits.OK


def print_imported(imported: Imported) -> int:
    """Print how many commands are stored, and which are refused; return the exit code."""
    for refused in imported.errors:
        write_error(f"error: {visible(refused)}\n")
    write(f"{imported.stored} commands are stored, {len(imported.errors)} are refused\n")
    return exits.FINDINGS if imported.errors else exits.OK


def ready(text: str) -> None:
    """Print where the server answers, at once."""
    write(f"{text}\n")
    write("")
