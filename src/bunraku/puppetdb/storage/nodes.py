"""Nodes and the other things with a name: environments and producers."""

from __future__ import annotations

from typing import Literal

from bunraku.puppetdb.databases.database import Connection
from bunraku.puppetdb.documents import Deactivation, Expiration
from bunraku.puppetdb.storage.shared_rows import existing_id

LATEST = """
SELECT max(producer_timestamp) FROM (
    SELECT producer_timestamp FROM catalogs WHERE node_id = ?
    UNION ALL SELECT producer_timestamp FROM factsets WHERE node_id = ?
    UNION ALL SELECT max(producer_timestamp) FROM reports WHERE node_id = ?
) AS times
"""

FIND_NAMES = """
SELECT (SELECT id FROM environments WHERE name = ?), (SELECT id FROM producers WHERE name = ?)
"""


def node_id(connection: Connection, certname: str) -> int:
    """Return the number of a node, which is added if it is new.

    Other transactions that change the node wait until this one is over.
    """
    query = f"SELECT id FROM nodes WHERE certname = ?{connection.dialect.row_lock}"
    row = connection.execute(query, (certname,)).fetchone()
    if row is not None:
        return int(row[0])
    connection.execute(
        "INSERT INTO nodes (certname) VALUES (?) ON CONFLICT DO NOTHING", (certname,)
    )
    return existing_id(connection, query, (certname,))


def name_ids(
    connection: Connection, environment: str | None, producer: str | None
) -> tuple[int | None, int | None]:
    """Return the numbers of an environment and a producer, which are added if they are new."""
    ((first, second),) = connection.execute(FIND_NAMES, (environment, producer))
    if first is None:
        first = name_id(connection, "environments", environment)
    if second is None:
        second = name_id(connection, "producers", producer)
    return first, second


def reactivate(connection: Connection, node: int, timestamp: int) -> None:
    """Make a node active that sent data after it was deactivated and expired."""
    connection.execute(
        "UPDATE nodes SET deactivated = NULL, expired = NULL WHERE id = ?"
        " AND (deactivated IS NOT NULL OR expired IS NOT NULL)"
        " AND (deactivated IS NULL OR deactivated < ?) AND (expired IS NULL OR expired < ?)",
        (node, timestamp, timestamp),
    )


def deactivate(connection: Connection, command: Deactivation) -> None:
    """Deactivate a node, unless it sent data after the command."""
    node = node_id(connection, command.certname)
    time = command.producer_timestamp
    ((latest,),) = connection.execute(LATEST, (node, node, node))
    if latest is None or latest <= time:
        connection.execute(
            "UPDATE nodes SET deactivated = ?"
            " WHERE id = ? AND (deactivated IS NULL OR deactivated < ?)",
            (time, node, time),
        )


def configure_expiration(connection: Connection, command: Expiration) -> None:
    """Store whether the facts of a node expire, unless that was set later."""
    node = node_id(connection, command.certname)
    time = command.producer_timestamp
    reactivate(connection, node, time)
    connection.execute(
        "UPDATE nodes SET expires_facts = ?, expires_facts_updated = ?"
        " WHERE id = ? AND (expires_facts_updated IS NULL OR expires_facts_updated < ?)",
        (command.facts, time, node, time),
    )


def name_id(
    connection: Connection, table: Literal["environments", "producers"], name: str | None
) -> int | None:
    """Return the number of an environment or a producer, which is added if it is new."""
    if name is None:
        return None
    query = f"SELECT id FROM {table} WHERE name = ?"
    row = connection.execute(query, (name,)).fetchone()
    if row is not None:
        return int(row[0])
    connection.execute(f"INSERT INTO {table} (name) VALUES (?) ON CONFLICT DO NOTHING", (name,))
    return existing_id(connection, query, (name,))
