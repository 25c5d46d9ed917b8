"""The database in one SQLite file: one writer, any number of readers, no server."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from time import monotonic, sleep
from urllib.parse import quote
from weakref import finalize

from bunraku.base.errors import PuppetError
from bunraku.puppetdb import issues
from bunraku.puppetdb.databases.database import Result, staying
from bunraku.puppetdb.databases.dialect import SQLITE
from bunraku.puppetdb.databases.functions import FUNCTIONS
from bunraku.puppetdb.databases.schema import SQLITE_MIGRATIONS
from bunraku.puppetdb.databases.statement import Row, Statement

RETRY_SECONDS = 0.05
BUSY_SECONDS = 60
STEPS_BETWEEN_CHECKS = 20_000
"""Instructions of SQLite between two checks of the time limit, about a millisecond."""
PAGE_CACHE_KIB = 16 * 1024
"""The pages that a connection keeps. The kernel keeps the others: mapping the file saved a tenth of the time of
large queries, but counted the pages of the whole file as memory of the process."""


class SqliteConnection(sqlite3.Connection):
    """A connection with what :class:`~bunraku.puppetdb.databases.database.Connection` adds."""

    name = ""
    """The path of the file, for messages."""
    dialect = SQLITE

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo the block if it fails, without the rest of the transaction."""
        with failures(self.name):
            self.execute("SAVEPOINT part")
            try:
                yield
            except BaseException:
                if self.in_transaction:  # an error like a full disk may have undone all of it
                    self.execute("ROLLBACK TO part")
                    self.execute("RELEASE part")
                raise
            self.execute("RELEASE part")


class SqliteReader:
    """A database file that is only read; PuppetError if its schema is not that of this release.

    Neither the file nor one beside it is changed, also where the file's server runs.
    """

    dialect = SQLITE

    def __init__(self, path: str) -> None:
        self.name = path
        self.idle: list[SqliteConnection] = []
        # A reader is dropped without ``close`` when a cache forgets it.
        finalize(self, close_all, self.idle).atexit = False

    def open(self) -> SqliteConnection:
        """Return a new connection; where SQLite can make no files of its own, no writer exists."""
        path = quote(os.path.abspath(self.name))
        try:
            return self.opened(f"file:{path}?mode=ro")
        except sqlite3.OperationalError:
            return self.opened(f"file:{path}?mode=ro&immutable=1")

    def opened(self, address: str) -> SqliteConnection:
        """Return a connection to a file whose schema is known."""
        connection = connected(address, uri=True)
        try:
            found = check_known(connection)
            if found < len(SQLITE_MIGRATIONS):
                raise issues.OLDER_SCHEMA(name=self.name, found=found, known=len(SQLITE_MIGRATIONS))
        except BaseException:
            connection.close()
            raise
        return connection

    def connect(self) -> SqliteConnection:
        """Return a new connection with the functions and settings that statements rely on."""
        connection = self.open()
        connection.name = self.name
        try:
            self.prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    @staticmethod
    def prepare(connection: SqliteConnection) -> None:
        """Set the functions and settings that statements rely on."""
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute(f"PRAGMA cache_size = {-PAGE_CACHE_KIB}")
        for name, arguments, function in FUNCTIONS:
            connection.create_function(name, arguments, function, deterministic=True)

    @contextmanager
    def reader(self) -> Iterator[SqliteConnection]:
        """Lend a connection for reading."""
        try:
            connection = self.idle.pop()
        except IndexError:
            with failures(self.name):
                connection = self.connect()
        try:
            yield connection
        finally:
            self.idle.append(connection)

    def rows(
        self, statement: Statement, seconds: float, gone: Callable[[], bool] = staying
    ) -> Iterator[Row]:
        """Yield the rows of a query, one by one; PuppetError if it takes longer than the limit."""
        with self.reader() as connection:
            late = deadline(seconds, gone)
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
        close_all(self.idle)


class SqliteImage(SqliteReader):
    """A database in memory, from the bytes that :meth:`SqliteDatabase.image` returns."""

    def __init__(self, image: bytes) -> None:
        super().__init__("memory")
        self.image = image

    def open(self) -> SqliteConnection:
        """Return a new connection, which has its own copy."""
        connection = connected(":memory:")
        try:
            connection.deserialize(self.image)
        except BaseException:
            connection.close()
            raise
        return connection


class SqliteDatabase(SqliteReader):
    """A database file; its schema is created or brought up to date when the object is made."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.writing = Lock()
        create_private(path)
        with failures(self.name):
            self.writer = self.connect()
        try:
            with failures(self.name):
                # The journal of a savepoint in memory is a list that SQLite walks for each page.
                self.writer.execute("PRAGMA temp_store = FILE")
                use_write_ahead_log(self.writer)
                migrate(self.writer)
        except BaseException:
            self.writer.close()
            raise

    def open(self) -> SqliteConnection:
        """Return a new connection."""
        return connected(self.name)

    @contextmanager
    def transaction(self) -> Iterator[SqliteConnection]:
        """Lend the writing connection for one transaction, which an exception undoes."""
        with self.writing, failures(self.name):
            self.writer.execute("BEGIN IMMEDIATE")
            try:
                yield self.writer
                self.writer.execute("COMMIT")
            except BaseException:
                if self.writer.in_transaction:  # a full disk, for one, ends it already
                    self.writer.execute("ROLLBACK")
                raise

    def write(self, change: Callable[[SqliteConnection], Result]) -> Result:
        """Return the result of a function in a transaction; there is one writer, so no deadlock."""
        with self.transaction() as connection:
            return change(connection)

    @contextmanager
    def bulk(self) -> Iterator[SqliteConnection]:
        """Lend the writing connection to fill a new database: indexes are made at the end."""
        query = (
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE 'CREATE INDEX %'"
        )
        indexes = self.writer.execute(query).fetchall()
        self.writer.execute("PRAGMA foreign_keys = OFF")
        with self.transaction() as connection:
            for name, _ in indexes:
                connection.execute(f"DROP INDEX {name}")
            yield connection
            for _, statement in indexes:
                connection.execute(statement)

    def image(self) -> bytes:
        """Return the whole database as bytes."""
        return self.writer.serialize()

    def close(self) -> None:
        """Close all connections."""
        self.writer.close()
        super().close()


def close_all(connections: list[SqliteConnection]) -> None:
    """Close connections that nothing uses."""
    while connections:
        connections.pop().close()


def create_private(path: str) -> None:
    """Create a file that only its owner can read; SQLite gives its rights to the files beside it.

    A path where no file can be created, or one is, is left to SQLite.
    """
    if path != ":memory:":
        with suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))


def connected(address: str, *, uri: bool = False) -> SqliteConnection:
    """Return a new connection to a path or an address."""
    return sqlite3.connect(
        address,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        factory=SqliteConnection,
        uri=uri,
    )


def use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log; wait while another process does, for SQLite does not wait here."""
    end = monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > end:
                raise
            sleep(RETRY_SECONDS)
        else:
            return


@contextmanager
def failures(name: str) -> Iterator[None]:
    """Raise the driver's errors as PuppetError."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise issues.DATABASE_UNAVAILABLE(name=name, reason=str(error)) from error
    except sqlite3.Error as error:
        raise issues.DATABASE_REFUSED(name=name, reason=str(error)) from error


def refused(error: sqlite3.Error) -> PuppetError:
    """Return the error of a query that SQLite refuses or gives up."""
    message = str(error)
    if message == "user-defined function raised exception":
        message = "A regular expression or a format takes too long on a value, or does not fit it"
    return issues.QUERY_REFUSED(message=message)


def deadline(seconds: float, gone: Callable[[], bool]) -> Callable[[], bool]:
    """Return a function that reports whether the time is up, or the reader of the rows is gone."""
    end = monotonic() + seconds
    return lambda: monotonic() > end or gone()


def migrate(connection: SqliteConnection) -> None:
    """Bring the schema to the newest version; PuppetError if it is newer than this release.

    Other processes that start at the same time wait, and then find nothing to do.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        for migration in SQLITE_MIGRATIONS[check_known(connection) :]:
            for statement in migration.script.split(";"):
                connection.execute(statement)
            migration.change(connection)
        connection.execute(f"PRAGMA user_version = {len(SQLITE_MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def check_known(connection: sqlite3.Connection) -> int:
    """Return the version of the schema; PuppetError if it is newer than this release."""
    ((found,),) = connection.execute("PRAGMA user_version")
    if found > len(SQLITE_MIGRATIONS):
        raise issues.NEWER_SCHEMA(found=found, known=len(SQLITE_MIGRATIONS))
    return int(found)
