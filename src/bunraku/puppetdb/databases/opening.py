"""Open a database by the path of a file or by a URL."""

from __future__ import annotations

import re
from importlib import import_module

from bunraku.puppetdb import issues
from bunraku.puppetdb.databases.database import Database
from bunraku.puppetdb.databases.sqlite import SqliteDatabase

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")


def open_database(name: str) -> Database:
    """Return the database of a name, with the newest schema; a file is created if it is missing.

    PuppetError if the scheme of the URL is unknown or the database cannot be opened.
    """
    scheme = SCHEME.match(name)
    if scheme is None:
        return SqliteDatabase(name)
    if scheme[1] not in {"postgresql", "postgres"}:
        raise issues.UNKNOWN_DATABASE(scheme=scheme[1])
    try:
        module = import_module("bunraku.puppetdb.databases.postgresql")
    except ImportError:
        raise issues.NO_PSYCOPG() from None
    database: Database = module.PostgresqlDatabase(name)
    return database
