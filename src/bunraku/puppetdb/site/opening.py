"""Open the data of a site: documents in files, or a database file."""

from __future__ import annotations

from contextlib import closing

from bunraku.puppetdb.databases.sqlite import SqliteImage, SqliteReader
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.queries.root import answer_to
from bunraku.puppetdb.site.data import QueriedData, SiteData
from bunraku.puppetdb.site.files import read_files
from bunraku.world.protocol import World

SQLITE = b"SQLite format 3\0"
"""The beginning of every database file of SQLite."""


def open_site(source: str, world: World) -> SiteData:
    """Return the data of a file or a folder; PuppetError if there are none, or other data."""
    if world.is_file(source) and starts_as_database(source, world):
        return database_file(source, world)
    return read_files(source, world)


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
