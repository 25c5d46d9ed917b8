"""Put data into a database and get it out: demonstration, export, import."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from time import time

from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.puppetdb_config import DatabaseOptions
from bunraku.cli.output.excerpt import visible
from bunraku.cli.output.output import write, write_error
from bunraku.demonstration.stored_site import load_demonstration
from bunraku.puppetdb.archive import exported_pieces, import_archive
from bunraku.puppetdb.commands.process import process
from bunraku.puppetdb.databases.opening import open_database
from bunraku.web.listeners import Listener
from bunraku.world.machine import Machine
from bunraku.world.whole_files import KEY_MODE, write_whole

COMMAND = "puppetdb"
PUPPETBOARD = """\
A dashboard on it:
  pip install puppetboard
  PUPPETBOARD_SETTINGS=docker_settings.py PUPPETDB_HOST={host} PUPPETDB_PORT={port} \\
      SECRET_KEY=demo ENABLE_CATALOG=true flask --app puppetboard.app run
"""


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
    write(f"{options.nodes} nodes are in {options.database}\n")


def describe_dashboard(listeners: Sequence[Listener]) -> None:
    """Print how to start a dashboard on a server that answers at the first address."""
    host, port = listeners[0].socket.getsockname()[:2]
    write(PUPPETBOARD.format(host=host, port=port))


def export_database(options: DatabaseOptions) -> int:
    """Write all active nodes to an archive."""
    existing(options.database)
    try:
        with closing(open_database(options.database)) as database:
            write_whole(options.file, exported_pieces(database), mode=KEY_MODE)
    except OSError as error:
        raise UsageError(f"cannot write {options.file}: {error.strerror}", COMMAND) from None
    return exits.OK


def import_database(options: DatabaseOptions) -> int:
    """Store the commands in an archive; report those that are refused."""
    with closing(open_database(options.database)) as database:
        try:
            with open(options.file, "rb") as file:
                found = import_archive(file, int(time() * 1000), partial(process, database))
        except OSError as error:
            raise UsageError(f"cannot read {options.file}: {error.strerror}", COMMAND) from None
    for refused in found.errors:
        write_error(f"error: {visible(refused)}\n")
    write(f"{found.stored} commands are stored, {len(found.errors)} are refused\n")
    return exits.FINDINGS if found.errors else exits.OK


def existing(database: str) -> None:
    """Raise UsageError for a database file that does not exist."""
    if "://" not in database and not Machine().is_file(database):
        raise UsageError(f"cannot read {database}: it is not a database file", COMMAND)
