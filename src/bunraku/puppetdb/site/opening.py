"""Open the data of a site: documents in files, a database, or a PuppetDB on a server."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import closing
from typing import Any

from bunraku.puppetdb.client import Client, server_url
from bunraku.puppetdb.databases.opening import open_readable
from bunraku.puppetdb.databases.sqlite import SqliteImage, SqliteReader
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.queries.root import answer_to
from bunraku.puppetdb.site import issues
from bunraku.puppetdb.site.data import QueriedData, SiteData
from bunraku.puppetdb.site.files import read_files
from bunraku.puppetdb.site.tls import tls_files
from bunraku.world.protocol import World

SQLITE = b"SQLite format 3\0"
"""The beginning of every database file of SQLite."""
SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*)://")


def open_site(source: str, world: World, settings: Mapping[str, Any]) -> SiteData:
    """Return the data of a source; PuppetError if it has other data, or cannot be read.

    A source is a file, a folder, or the URL of a server or a PostgreSQL database. ``settings`` are
    Puppet's, those that are given: they name the files for TLS.
    """
    scheme = SCHEME.match(source)
    if scheme is None:
        if world.is_file(source) and starts_as_database(source, world):
            return database_file(source, world)
        return read_files(source, world)
    match scheme[1].lower():
        case "http" | "https":
            return QueriedData(Client(server_url(source), world, tls_files(settings, world)).query)
        case "postgresql" | "postgres":
            return database_server(source)
    raise issues.UNKNOWN_SOURCE(scheme=scheme[1])


def starts_as_database(path: str, world: World) -> bool:
    """Return whether a file is a database of SQLite."""
    try:
        return world.beginning(path, len(SQLITE)) == SQLITE
    except OSError:
        return False


def database_file(path: str, world: World) -> QueriedData:
    """Return the data in a database file, which is opened for each query."""

    def query(value: Json) -> list[Json]:
        on_disk = world.disk_path(path)
        database = SqliteReader(on_disk) if on_disk is not None else SqliteImage(world.read(path))
        with closing(database):
            return answer_to(database, value)

    return QueriedData(query)


def database_server(url: str) -> QueriedData:
    """Return the data in a database of PostgreSQL, to which each query connects."""

    def query(value: Json) -> list[Json]:
        with closing(open_readable(url)) as database:
            return answer_to(database, value)

    return QueriedData(query)
