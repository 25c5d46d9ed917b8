"""What the rest of the package uses of a database; only ``databases`` imports the drivers.

Statements have ``?`` for each value, on every database. Errors of the driver reach callers as
:class:`~bunraku.base.errors.PuppetError`: ``PUPPETDB_DATABASE_UNAVAILABLE`` where the same work can
succeed later (the server is down, the disk is full, the file is locked), and
``PUPPETDB_DATABASE_REFUSED`` where it cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias, TypeVar

from bunraku.puppetdb.databases.dialect import Dialect
from bunraku.puppetdb.databases.statement import Row, Statement, Value

Found: TypeAlias = "tuple[Any, ...]"
"""A row whose columns the caller selected, and so has the types that the schema gives them."""
Result = TypeVar("Result")


class RowDeleted(Exception):
    """Another transaction deleted a row between two statements of this one, which needs it.

    :meth:`Database.write` does the work again.
    """


def staying() -> bool:
    """Report that the rows of a query are still wanted."""
    return False


class Cursor(Protocol):
    """The rows of a statement."""

    @property
    def rowcount(self) -> int:
        """The number of rows that the statement changed."""

    def fetchone(self) -> Found | None:
        """Return the next row; None after the last one."""

    def fetchall(self) -> list[Found]:
        """Return the rows that remain."""

    def __iter__(self) -> Iterator[Found]:
        """Yield the rows that remain."""


class Connection(Protocol):
    """A connection within a transaction."""

    @property
    def dialect(self) -> Dialect:
        """The SQL of this database."""

    def execute(self, text: str, values: Sequence[Value] = (), /) -> Cursor:
        """Execute a statement."""

    def executemany(self, text: str, rows: Iterable[Sequence[Value]], /) -> object:
        """Execute a statement for each row of values."""

    def savepoint(self) -> AbstractContextManager[None]:
        """Return a block that an exception undoes alone, without the rest of the transaction.

        Errors of the driver leave the block as PuppetError.
        """


class ReadableDatabase(Protocol):
    """A database that answers queries; its methods can be used by several threads at once."""

    @property
    def name(self) -> str:
        """The path or the URL for messages, without a password."""

    @property
    def dialect(self) -> Dialect:
        """The SQL of this database."""

    def rows(
        self, statement: Statement, seconds: float, gone: Callable[[], bool] = staying
    ) -> Iterator[Row]:
        """Yield the rows of a query, with the memory of a few; PuppetError after the time limit.

        ``gone`` reports whether the rows are not wanted any more: the query then stops.
        """

    def close(self) -> None:
        """Close all connections."""


class Database(ReadableDatabase, Protocol):
    """A database with the newest schema, which can be changed."""

    def transaction(self) -> AbstractContextManager[Connection]:
        """Return a block that is one transaction, which an exception undoes.

        It waits for other writers as long as it must, but a deadlock with one of them is an error:
        use :meth:`write` where the work can be done again.
        """

    def write(self, change: Callable[[Connection], Result]) -> Result:
        """Return the result of a function in a transaction; do it again after a collision."""
