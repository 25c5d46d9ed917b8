"""Rows that nodes share: found by a hash of their content, or inserted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from hashlib import sha1
from itertools import islice
from typing import Generic, TypeVar

from bunraku.base.records import record
from bunraku.puppetdb.databases.database import Connection, RowDeleted
from bunraku.puppetdb.databases.statement import Row, Value

Item = TypeVar("Item")
Key = TypeVar("Key")
DELETED = "another transaction deleted a row that this one needs"
AT_ONCE = 500
"""Hashes in one statement; SQLite's least limit of placeholders is 999."""


@record(frozen=True)
class SharedTable:
    """A table whose rows are identified by ``hash``; ``columns`` are the others, without ``id``."""

    name: str
    columns: tuple[str, ...]

    @property
    def insertion(self) -> str:
        """The statement that inserts a row."""
        names = ", ".join(("hash", *self.columns))
        places = ", ".join("?" * (len(self.columns) + 1))
        return f"INSERT INTO {self.name} ({names}) VALUES ({places}) ON CONFLICT DO NOTHING"


def digest(*parts: str) -> bytes:
    """Return the hash of a row's content; no part has a NUL, which stored texts cannot have."""
    return sha1("\0".join(parts).encode(), usedforsecurity=False).digest()


def shared_ids(
    connection: Connection,
    table: SharedTable,
    items: Mapping[bytes, Item],
    row: Callable[[Item], Row],
    place: Callable[[bytes], str | bytes] = bytes,
) -> tuple[dict[bytes, int], list[bytes]]:
    """Return the id of each item by its hash, and the hashes of the items that were inserted.

    ``row`` returns the columns of an item, which are made for new ones only. Items are inserted in the order of
    ``place``, by default that of their hashes: two transactions that insert the same rows in different orders would
    wait for each other.
    """
    found = known_ids(connection, table, items)
    missing = sorted((key for key in items if key not in found), key=place)
    connection.executemany(table.insertion, [(key, *row(items[key])) for key in missing])
    ids = {**found, **known_ids(connection, table, missing)}
    check_presence(missing, ids)
    return ids, missing


def check_presence(keys: Iterable[Key], found: Container[Key]) -> None:
    """Raise RowDeleted if a row is absent that existed or was inserted a moment ago."""
    if not all(key in found for key in keys):
        raise RowDeleted(DELETED)


def existing_id(connection: Connection, query: str, values: Sequence[Value]) -> int:
    """Return the number of a row that existed or was inserted a moment ago, or raise RowDeleted."""
    row = connection.execute(query, values).fetchone()
    if row is None:
        raise RowDeleted(DELETED)
    return int(row[0])


def known_ids(
    connection: Connection, table: SharedTable, hashes: Iterable[bytes]
) -> dict[bytes, int]:
    """Return the ids of the rows that exist, by hash."""
    found: dict[bytes, int] = {}
    remaining = iter(hashes)
    while group := list(islice(remaining, AT_ONCE)):
        places = ", ".join("?" * len(group))
        query = f"SELECT hash, id FROM {table.name} WHERE hash IN ({places})"
        found.update(connection.execute(query, group))
    return found


def lock_rows(connection: Connection, table: str, ids: Sequence[int]) -> None:
    """Wait for the transactions that stop using some rows so that the last one deletes them."""
    if not connection.dialect.row_lock:
        return
    for start in range(0, len(ids), AT_ONCE):
        group = ids[start : start + AT_ONCE]
        places = ", ".join("?" * len(group))
        query = f"SELECT id FROM {table} WHERE id IN ({places}) ORDER BY id"
        connection.execute(query + connection.dialect.row_lock, group)


@record(frozen=True)
class Membership:
    """A table of two numbers, ``node_id`` and ``column``: which rows of ``shared`` a node has."""

    table: str
    column: str
    shared: str


def replace_members(
    connection: Connection, membership: Membership, node: int, wanted: Iterable[int]
) -> None:
    """Make a node have the wanted rows: write the difference only.

    A shared row that no node has any more is deleted.
    """
    query = f"SELECT {membership.column} FROM {membership.table} WHERE node_id = ?"
    present = {member for (member,) in connection.execute(query, (node,))}
    needed = set(wanted)
    change_members(connection, membership, node, present - needed, needed - present)


@record(frozen=True)
class Members(Generic[Item]):
    """How the rows of a node change: items by hash that it does not have yet, and ids that it needs no more."""

    wanted: Mapping[bytes, Item]
    gone: Collection[int]


def changed_members(
    connection: Connection, membership: Membership, node: int, items: Mapping[bytes, Item]
) -> Members[Item]:
    """Return how the rows of a node change to those with these hashes."""
    table, column, shared = membership.table, membership.column, membership.shared
    query = (
        f"SELECT s.hash, s.id FROM {table} AS m JOIN {shared} AS s ON s.id = m.{column}"
        " WHERE m.node_id = ?"
    )
    present: dict[bytes, int] = dict(connection.execute(query, (node,)).fetchall())
    wanted = {key: item for key, item in items.items() if key not in present}
    return Members(wanted, [present[key] for key in present.keys() - items.keys()])


def change_members(
    connection: Connection,
    membership: Membership,
    node: int,
    removed: Iterable[int],
    added: Iterable[int],
) -> None:
    """Take rows away from a node, and give others to it. A shared row that no node has any more is deleted."""
    table, column = membership.table, membership.column
    gone = sorted(removed)
    pairs: Sequence[tuple[int, int]] = [(node, member) for member in gone]
    connection.executemany(f"DELETE FROM {table} WHERE node_id = ? AND {column} = ?", pairs)
    lock_rows(connection, membership.shared, gone)
    unused = (
        f"DELETE FROM {membership.shared} WHERE id = ?"
        f" AND NOT EXISTS (SELECT 1 FROM {table} WHERE {column} = {membership.shared}.id)"
    )
    connection.executemany(unused, [(member,) for member in gone])
    pairs = [(node, member) for member in sorted(added)]
    connection.executemany(f"INSERT INTO {table} (node_id, {column}) VALUES (?, ?)", pairs)
