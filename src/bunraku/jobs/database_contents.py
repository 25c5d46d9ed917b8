"""Put data into a database and get it out: demonstration, export, import."""

from __future__ import annotations

import os
from contextlib import closing
from functools import partial
from time import time

from bunraku.base.usage import UsageError
from bunraku.demonstration.stored_site import load_demonstration
from bunraku.jobs.serving.options import DatabaseOptions
from bunraku.puppetdb.archive import Imported, exported_pieces, import_archive
from bunraku.puppetdb.commands.process import process
from bunraku.puppetdb.databases.opening import open_database
from bunraku.world.machine import Machine
from bunraku.world.whole_files import KEY_MODE, write_whole

COMMAND = "puppetdb"


def load_demo(options: DatabaseOptions) -> None:
    """Load the synthetic site into a new file; UsageError if the file exists.

    The caller turns the expiry of data off, for the times of the site stay as they are.
    """
    if os.path.lexists(options.database):
        raise UsageError(f"{options.database} exists; demo makes a new file", COMMAND)
    if not 1 <= options.nodes <= 100_000:
        raise UsageError("--nodes: use a number from 1 to 100000", COMMAND)
    with closing(open_database(options.database)) as database:
        load_demonstration(database, options.nodes, int(time() * 1000))


def export_database(options: DatabaseOptions) -> None:
    """Write all active nodes to an archive."""
    existing(options.database)
    try:
        with closing(open_database(options.database)) as database:
            write_whole(options.file, exported_pieces(database), mode=KEY_MODE)
    except OSError as error:
        raise UsageError(f"cannot write {options.file}: {error.strerror}", COMMAND) from None


def import_database(options: DatabaseOptions) -> Imported:
    """Store the commands in an archive; the result has the number and those that are refused."""
    with closing(open_database(options.database)) as database:
        try:
            with open(options.file, "rb") as file:
                return import_archive(file, int(time() * 1000), partial(process, database))
        except OSError as error:
            raise UsageError(f"cannot read {options.file}: {error.strerror}", COMMAND) from None


def existing(database: str) -> None:
    """Raise UsageError for a database file that does not exist."""
    if "://" not in database and not Machine().is_file(database):
        raise UsageError(f"cannot read {database}: it is not a database file", COMMAND)
