"""The database on a PostgreSQL server: several readers and writers, also of other processes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, count
from math import ceil
from select import POLLIN, poll
from threading import BoundedSemaphore, Condition, Thread
from time import sleep
from typing import Any, TypeAlias

import psycopg
from psycopg import RawCursor, errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus

from bunraku.base.bounded_cache import remembered
from bunraku.base.errors import PuppetError
from bunraku.puppetdb import issues
from bunraku.puppetdb.databases.database import Cursor, Result, RowDeleted, staying
from bunraku.puppetdb.databases.dialect import POSTGRESQL
from bunraku.puppetdb.databases.postgresql_numbers import register_numbers
from bunraku.puppetdb.databases.schema import POSTGRESQL_MIGRATIONS
from bunraku.puppetdb.databases.statement import Row, Statement, Value

Parts: TypeAlias = "Mapping[str, str | int | None]"
"""A URL in parts: ``host``, ``user``, ``password``, …"""
Driver: TypeAlias = "psycopg.Connection[tuple[Any, ...]]"

MOST_READERS, MOST_WRITERS = 20, 4
DEFAULTS: Parts = {"connect_timeout": 10, "fallback_application_name": "bunraku"}
ROWS_AT_ONCE = 500
CHECK_SECONDS = 0.25
"""The time between two checks whether the rows of queries are still wanted."""
CANCEL_SECONDS = 10.0
LONGEST_KEPT = 5_000
"""Characters of the statements whose translations are kept."""
MIGRATION_LOCK = 0x62756E72616B75
"""The number of the lock that processes wait for while one of them changes the schema."""
SETTINGS = b"""
SET client_encoding = 'UTF8';
SET TimeZone = 'UTC';
SET standard_conforming_strings = on;
SET client_min_messages = warning;
SET statement_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET jit = off
"""
"""Compiling a statement takes longer than most queries."""

COLLISIONS = (
    errors.SerializationFailure,
    errors.DeadlockDetected,
    errors.UniqueViolation,
    errors.ForeignKeyViolation,
    RowDeleted,
)
"""Errors that other writers can cause: the same transaction can succeed a moment later.

A row that two transactions share can be deleted by one while the other begins to use it.
"""
MOST_ATTEMPTS = 8
FIRST_PAUSE = 0.01
PERMANENT = ("22", "23", "42", "54")
"""Classes of errors that the statement or its values cause, not the state of the server."""


# -- statements --------------------------------------------------------------------------------------

PIECE = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|\?|\bgroup_concat\b""")
NAMES = {"group_concat": "string_agg"}
INSERTION = re.compile(
    r"(?P<before>\s*INSERT INTO .* VALUES )(?P<row>\(\?(?:, \?)*\))(?P<after>[^?]*)", re.DOTALL
)
ROWS_OF_INSERTIONS = (256, 64, 16, 4, 1)
"""Few sizes so that the server can keep their plans."""


def native(text: str) -> bytes:
    """Return a statement as PostgreSQL has it.

    >>> native("SELECT '?' FROM nodes WHERE id = ? OR certname = ?")
    b"SELECT '?' FROM nodes WHERE id = $1 OR certname = $2"
    """
    return kept_native(text) if len(text) < LONGEST_KEPT else translated(text)


@remembered(1000)
def kept_native(text: str) -> bytes:
    """Return a statement as PostgreSQL has it, from the cache if it was there before."""
    return translated(text)


def translated(text: str) -> bytes:
    """Return a statement with numbered placeholders and PostgreSQL's names of functions."""
    numbers = count(1)

    def piece(found: re.Match[str]) -> str:
        return f"${next(numbers)}" if found[0] == "?" else NAMES.get(found[0], found[0])

    return PIECE.sub(piece, text).encode()


@remembered(300)
def insertion(text: str, size: int) -> bytes:
    """Return an insertion of one row as one of several rows.

    >>> insertion("INSERT INTO edges (a, b) VALUES (?, ?) ON CONFLICT DO NOTHING", 2)
    b'INSERT INTO edges (a, b) VALUES ($1, $2), ($3, $4) ON CONFLICT DO NOTHING'
    """
    found = INSERTION.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return translated(found["before"] + ", ".join([found["row"]] * size) + found["after"])


# -- names and errors --------------------------------------------------------------------------------


def parts_of(url: str) -> Parts:
    """Return the parts of a URL; PuppetError if it is malformed."""
    try:
        found: Parts = conninfo_to_dict(url)
    except psycopg.Error:  # its message can have a part of the password
        reason = "the URL is malformed"
        raise issues.DATABASE_REFUSED(name="postgresql://…", reason=reason) from None
    return found


def shown_name(parts: Parts) -> str:
    """Return a URL by its parts, without the password and options.

    >>> shown_name(parts_of("postgresql://me:secret@db.example.test:5433/puppetdb?sslmode=require"))
    'postgresql://me@db.example.test:5433/puppetdb'
    """
    user = f"{parts['user']}@" if parts.get("user") else ""
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"postgresql://{user}{parts.get('host') or ''}{port}/{parts.get('dbname') or ''}"


def database_message(error: psycopg.Error | RowDeleted) -> str:
    """Return what the server says, or the driver, in one line."""
    message = error.diag.message_primary if isinstance(error, psycopg.Error) else None
    return " ".join((message or str(error) or "connection lost").split())


def is_permanent(error: psycopg.Error) -> bool:
    """Return whether the same work fails again, whatever happens to the server."""
    state: str | None = error.sqlstate
    if state is None:
        return not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return state.startswith(PERMANENT)


def database_failure(name: str, error: psycopg.Error | RowDeleted) -> PuppetError:
    """Return an error as PuppetError."""
    permanent = isinstance(error, psycopg.Error) and is_permanent(error)
    issue = issues.DATABASE_REFUSED if permanent else issues.DATABASE_UNAVAILABLE
    return issue(name=name, reason=database_message(error))


# -- connections -------------------------------------------------------------------------------------


class PostgresqlConnection:
    """A connection to the server; ``milliseconds`` is the time limit of its statements."""

    dialect = POSTGRESQL

    def __init__(self, conninfo: str, name: str) -> None:
        self.name = name
        self.driver: Driver = psycopg.connect(conninfo, autocommit=True, cursor_factory=RawCursor)
        register_numbers(self.driver.adapters)
        self.driver.execute(SETTINGS)
        self.milliseconds = 0
        self.cancelled = False

    def execute(self, text: str, values: Sequence[Value] = (), /) -> Cursor:
        """Execute a statement."""
        cursor: Cursor = self.driver.execute(native(text), values)
        return cursor

    def executemany(self, text: str, rows: Iterable[Sequence[Value]], /) -> None:
        """Execute a statement for each row of values; one that inserts has many rows at once."""
        remaining = list(rows)
        if INSERTION.fullmatch(text) is None:
            self.driver.cursor().executemany(native(text), remaining)
            return
        start = 0
        for size in ROWS_OF_INSERTIONS:
            while len(remaining) - start >= size:
                values = chain.from_iterable(remaining[start : start + size])
                self.driver.execute(insertion(text, size), list(values))
                start += size

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo the block if it fails, without the rest of the transaction."""
        try:
            with self.driver.transaction():
                yield
        except COLLISIONS as error:  # the whole transaction has to be done again
            reason = database_message(error)
            raise issues.DATABASE_UNAVAILABLE(name=self.name, reason=reason) from error
        except psycopg.Error as error:
            raise database_failure(self.name, error) from error

    def limit(self, seconds: float) -> None:
        """Set the time limit of statements."""
        milliseconds = max(1, ceil(min(seconds, 1e6) * 1000))
        if milliseconds != self.milliseconds:
            self.driver.execute(f"SET statement_timeout = {milliseconds}".encode())
            self.milliseconds = milliseconds

    def stream(self, statement: Statement) -> Iterator[Row]:
        """Yield the rows of a query; the server sends them as they are read."""
        cursor = self.driver.cursor()
        yield from cursor.stream(native(statement.text), statement.values, size=ROWS_AT_ONCE)

    def cancel(self) -> None:
        """Stop the statement that runs; the connection cannot be used for another one."""
        with suppress(psycopg.Error):
            self.driver.cancel_safe(timeout=CANCEL_SECONDS)

    def is_usable(self) -> bool:
        """Return whether an idle connection still works: one that ends has a last message.

        A request to cancel a statement may arrive after its end, and would stop the next one.
        """
        if (
            self.cancelled
            or self.driver.closed
            or self.driver.info.transaction_status != TransactionStatus.IDLE
        ):
            return False
        waiting = poll()
        waiting.register(self.driver.fileno(), POLLIN)
        return not waiting.poll(0)

    def close(self) -> None:
        """Close the connection."""
        self.driver.close()


class Pool:
    """Connections that are lent to one thread at a time, at most ``most`` of them."""

    def __init__(self, connect: Callable[[], PostgresqlConnection], most: int) -> None:
        self.connect = connect
        self.free = BoundedSemaphore(most)
        self.idle: list[PostgresqlConnection] = []

    @contextmanager
    def connection(self) -> Iterator[PostgresqlConnection]:
        """Lend a connection that works; wait for one if all are lent."""
        with self.free:
            found = self.usable() or self.connect()
            try:
                yield found
            finally:
                if found.is_usable():
                    self.idle.append(found)
                else:
                    found.close()

    def usable(self) -> PostgresqlConnection | None:
        """Return an idle connection; close those that the server has closed."""
        while self.idle:
            found = self.idle.pop()
            if found.is_usable():
                return found
            found.close()
        return None

    def close(self) -> None:
        """Close the connections that are not lent."""
        while self.idle:
            self.idle.pop().close()


class Watch:
    """A thread that stops queries whose rows are not wanted any more."""

    def __init__(self) -> None:
        self.changed = Condition()
        self.active: dict[PostgresqlConnection, Callable[[], bool]] = {}
        self.thread: Thread | None = None
        self.closed = False

    @contextmanager
    def watching(
        self, connection: PostgresqlConnection, gone: Callable[[], bool]
    ) -> Iterator[None]:
        """Stop the statements of a connection within the block when ``gone`` is true."""
        with self.changed:
            self.active[connection] = gone
            if self.thread is None:
                self.thread = Thread(target=self.run, name="cancel", daemon=True)
                self.thread.start()
            self.changed.notify()
        try:
            yield
        finally:
            with self.changed:
                self.active.pop(connection, None)

    def run(self) -> None:
        """Check the queries until the end; stop an unwanted one again and again.

        The server ignores a request to cancel that comes before the statement begins.
        """
        while not self.closed:
            with self.changed:
                if not self.active:
                    self.changed.wait()
                for connection, gone in self.active.items():
                    if connection.cancelled or gone():
                        connection.cancelled = True
                        connection.cancel()
            sleep(CHECK_SECONDS)

    def close(self) -> None:
        """End the thread."""
        with self.changed:
            self.closed = True
            self.changed.notify()


# -- the database ------------------------------------------------------------------------------------


class PostgresqlReader:
    """A database on a server that is only read; PuppetError if its schema is not that of this release."""

    dialect = POSTGRESQL

    def __init__(self, url: str) -> None:
        parts = parts_of(url)
        self.name = shown_name(parts)
        self.conninfo = make_conninfo(url, **{**DEFAULTS, **parts})
        self.watch = Watch()
        self.readers = Pool(self.connect, MOST_READERS)
        try:
            self.check_schema()
        except BaseException:
            self.close()
            raise

    def connect(self) -> PostgresqlConnection:
        """Return a new connection."""
        return PostgresqlConnection(self.conninfo, self.name)

    def check_schema(self) -> None:
        """Raise PuppetError for a schema that is older or newer than that of this release."""
        with self.failures(), self.readers.connection() as connection:
            found, known = schema_version(connection), len(POSTGRESQL_MIGRATIONS)
        if found < known:
            raise issues.OLDER_SCHEMA(name=self.name, found=found, known=known)

    @contextmanager
    def failures(self) -> Iterator[None]:
        """Raise the driver's errors as PuppetError."""
        try:
            yield
        except (psycopg.Error, RowDeleted) as error:
            raise database_failure(self.name, error) from error

    def rows(
        self, statement: Statement, seconds: float, gone: Callable[[], bool] = staying
    ) -> Iterator[Row]:
        """Yield the rows of a query, some at once; PuppetError if it takes longer than the limit."""
        try:
            with self.readers.connection() as connection:
                connection.limit(seconds)
                with self.watch.watching(connection, gone):
                    yield from connection.stream(statement)
        except errors.QueryCanceled:
            raise issues.QUERY_TIMEOUT(seconds=f"{seconds:g}") from None
        except psycopg.Error as error:
            if is_permanent(error):
                raise issues.QUERY_REFUSED(message=database_message(error)) from None
            raise database_failure(self.name, error) from None

    def close(self) -> None:
        """Close all connections that are not in use."""
        self.watch.close()
        self.readers.close()


class PostgresqlDatabase(PostgresqlReader):
    """A database on a server; its schema is created or brought up to date when the object is made."""

    def __init__(self, url: str) -> None:
        self.writers = Pool(self.connect, MOST_WRITERS)
        super().__init__(url)

    def check_schema(self) -> None:
        """Create the schema or bring it up to date."""
        with self.transaction() as connection:
            check_encoding(connection)
            migrate(connection)

    @contextmanager
    def transaction(self) -> Iterator[PostgresqlConnection]:
        """Lend a connection for one transaction, which an exception undoes."""
        with (
            self.failures(),
            self.writers.connection() as connection,
            connection.driver.transaction(),
        ):
            yield connection

    def write(self, change: Callable[[PostgresqlConnection], Result]) -> Result:
        """Return the result of a function in a transaction; do it again after a collision."""
        with self.failures():
            for attempt in range(MOST_ATTEMPTS - 1):
                try:
                    return self.attempt(change)
                except COLLISIONS:
                    sleep(FIRST_PAUSE * 2**attempt)
                except PuppetError as error:  # of a savepoint
                    if not isinstance(error.__cause__, COLLISIONS):
                        raise
                    sleep(FIRST_PAUSE * 2**attempt)
            return self.attempt(change)

    def attempt(self, change: Callable[[PostgresqlConnection], Result]) -> Result:
        """Return the result of a function in a transaction."""
        with self.writers.connection() as connection, connection.driver.transaction():
            return change(connection)

    def close(self) -> None:
        """Close all connections that are not in use."""
        super().close()
        self.writers.close()


def check_encoding(connection: PostgresqlConnection) -> None:
    """Refuse a database that cannot hold all texts."""
    ((encoding,),) = connection.execute("SHOW server_encoding")
    if encoding != "UTF8":
        reason = f"its encoding is {encoding}; create it with the encoding UTF8"
        raise issues.DATABASE_REFUSED(name=connection.name, reason=reason)


def migrate(connection: PostgresqlConnection) -> None:
    """Bring the schema to the newest version; PuppetError if it is newer than this release.

    Other processes that start at the same time wait, and then find nothing to do.
    """
    connection.execute("SELECT pg_advisory_xact_lock(?)", (MIGRATION_LOCK,))
    connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)")
    found = schema_version(connection)
    for number, migration in enumerate(POSTGRESQL_MIGRATIONS[found:], found + 1):
        connection.driver.execute(migration.script.encode())
        migration.change(connection)
        connection.execute("INSERT INTO schema_version VALUES (?)", (number,))


def schema_version(connection: PostgresqlConnection) -> int:
    """Return the version of the schema, 0 for none; PuppetError if it is newer than this release."""
    ((table,),) = connection.execute("SELECT to_regclass('schema_version')::text")
    if table is None:
        return 0
    ((found,),) = connection.execute("SELECT coalesce(max(version), 0) FROM schema_version")
    if found > len(POSTGRESQL_MIGRATIONS):
        raise issues.NEWER_SCHEMA(found=found, known=len(POSTGRESQL_MIGRATIONS))
    return int(found)
