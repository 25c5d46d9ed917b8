"""The database in one SQLite file: one writer, any number of readers, no server."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic

from bunraku.base.errors import PuppetError
from bunraku.puppetdb import issues
from bunraku.puppetdb.databases.functions import FUNCTIONS
from bunraku.puppetdb.databases.schema import MIGRATIONS
from bunraku.puppetdb.databases.statement import Row, Statement

BUSY_SECONDS = 60
STEPS_BETWEEN_CHECKS = 20_000
"""Instructions of SQLite between two checks of the time limit, about a millisecond."""
PAGE_CACHE_KIB = 32 * 1024
MAPPED_BYTES = 256 * 1024 * 1024


class SqliteDatabase:
    """A database file; its schema is created or brought up to date when the object is made."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.writing = Lock()
        self.idle: list[sqlite3.Connection] = []
        self.writer = self.connect()
        try:
            self.writer.execute("PRAGMA journal_mode = WAL")
            migrate(self.writer)
        except BaseException:
            self.writer.close()
            raise

    def connect(self) -> sqlite3.Connection:
        """Return a new connection with the functions and settings that statements rely on."""
        connection = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute(f"PRAGMA cache_size = {-PAGE_CACHE_KIB}")
        connection.execute(f"PRAGMA mmap_size = {MAPPED_BYTES}")
        for name, arguments, function in FUNCTIONS:
            connection.create_function(name, arguments, function, deterministic=True)
        return connection

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Lend the writing connection for one transaction, which an exception undoes."""
        with self.writing:
            self.writer.execute("BEGIN IMMEDIATE")
            try:
                yield self.writer
            except BaseException:
                self.writer.execute("ROLLBACK")
                raise
            self.writer.execute("COMMIT")

    @contextmanager
    def reader(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection for reading."""
        try:
            connection = self.idle.pop()
        except IndexError:
            connection = self.connect()
        try:
            yield connection
        finally:
            self.idle.append(connection)

    def rows(self, statement: Statement, seconds: float) -> Iterator[Row]:
        """Yield the rows of a query, one by one; PuppetError if it takes longer than the limit."""
        with self.reader() as connection:
            late = deadline(seconds)
            connection.set_progress_handler(late, STEPS_BETWEEN_CHECKS)
            cursor = connection.cursor()
            try:
                yield from cursor.execute(statement.text, statement.values)
            except sqlite3.Error as error:
                if late():
                    raise issues.QUERY_TIMEOUT(seconds=f"{seconds:g}") from None
                raise refused(error) from None
            finally:
                cursor.close()
                connection.set_progress_handler(None, 0)

    def close(self) -> None:
        """Close all connections."""
        for connection in (self.writer, *self.idle):
            connection.close()
        self.idle.clear()


def refused(error: sqlite3.Error) -> PuppetError:
    """Return the error of a query that SQLite refuses or gives up."""
    message = str(error)
    if message == "user-defined function raised exception":
        message = "A regular expression or a format takes too long on a value, or does not fit it"
    return issues.QUERY_REFUSED(message=message)


def deadline(seconds: float) -> Callable[[], bool]:
    """Return a function that reports whether the time is up."""
    end = monotonic() + seconds
    return lambda: monotonic() > end


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the schema to the newest version; PuppetError if it is newer than this release."""
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    if found > len(MIGRATIONS):
        raise issues.NEWER_SCHEMA(found=found, known=len(MIGRATIONS))
    for number, script in enumerate(MIGRATIONS[found:], found + 1):
        connection.executescript(f"BEGIN; {script} PRAGMA user_version = {number}; COMMIT;")
