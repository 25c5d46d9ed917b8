"""Open a database by the path of a file or by a URL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from bunraku.puppetdb import issues
from bunraku.puppetdb.databases.database import Database, ReadableDatabase
from bunraku.puppetdb.databases.sqlite import SqliteDatabase, SqliteReader

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")


def open_database(name: str) -> Database:
    """Return the database of a name, with the newest schema; a file is created if it is missing.

    PuppetError if the scheme of the URL is unknown or the database cannot be opened.
    """
    if is_file(name):
        return SqliteDatabase(name)
    with driver_needed():
        from bunraku.puppetdb.databases.postgresql import PostgresqlDatabase
    return PostgresqlDatabase(name)


def open_readable(name: str) -> ReadableDatabase:
    """Return the database of a name, which is not changed; PuppetError if its schema is older."""
    if is_file(name):
        return SqliteReader(name)
    with driver_needed():
        from bunraku.puppetdb.databases.postgresql import PostgresqlReader
    return PostgresqlReader(name)


def is_file(name: str) -> bool:
    """Return whether a name is a path, not a URL; PuppetError for an unknown scheme."""
    scheme = SCHEME.match(name)
    if scheme is not None and scheme[1] not in {"postgresql", "postgres"}:
        raise issues.UNKNOWN_DATABASE(scheme=scheme[1])
    return scheme is None


@contextmanager
def driver_needed() -> Iterator[None]:
    """Raise PuppetError if the driver of PostgreSQL is missing, which is an extra."""
    try:
        yield
    except ImportError:
        raise issues.NO_PSYCOPG() from None
