"""Open a database by the path of a file or by a URL."""

from __future__ import annotations

import re

from bunraku.puppetdb import issues
from bunraku.puppetdb.databases.database import Database
from bunraku.puppetdb.databases.sqlite import SqliteDatabase

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")


def open_database(name: str) -> Database:
    """Return the database of a name, with the newest schema; a file is created if it is missing.

    PuppetError if the scheme of the URL is unknown or the database cannot be opened.
    """
    scheme = SCHEME.match(name)
    if scheme is not None:
        raise issues.UNKNOWN_DATABASE(scheme=scheme[1])
    return SqliteDatabase(name)
