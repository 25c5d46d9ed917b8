"""Nodes and the other things with a name: environments and producers."""

from __future__ import annotations

import sqlite3
from typing import Literal

from bunraku.puppetdb.documents import Deactivation

LATEST = """
SELECT max(
    coalesce((SELECT producer_timestamp FROM catalogs WHERE node_id = :node), :none),
    coalesce((SELECT producer_timestamp FROM factsets WHERE node_id = :node), :none),
    coalesce((SELECT max(producer_timestamp) FROM reports WHERE node_id = :node), :none)
)
"""
NONE = -(1 << 62)


def node_id(connection: sqlite3.Connection, certname: str) -> int:
    """Return the number of a node, which is added if it is new."""
    connection.execute(
        "INSERT INTO nodes (certname) VALUES (?) ON CONFLICT (certname) DO NOTHING", (certname,)
    )
    query = "SELECT id FROM nodes WHERE certname = ?"
    found: int = connection.execute(query, (certname,)).fetchone()[0]
    return found


def reactivate(connection: sqlite3.Connection, node: int, timestamp: int) -> None:
    """Make a node active that sent data after it was deactivated or expired."""
    connection.execute(
        "UPDATE nodes SET deactivated = NULL, expired = NULL"
        " WHERE id = ? AND coalesce(deactivated, expired) < ?",
        (node, timestamp),
    )


def deactivate(connection: sqlite3.Connection, command: Deactivation) -> None:
    """Deactivate a node, unless it sent data after the command."""
    node = node_id(connection, command.certname)
    (latest,) = connection.execute(LATEST, {"node": node, "none": NONE}).fetchone()
    if latest <= command.producer_timestamp:
        connection.execute(
            "UPDATE nodes SET deactivated = ? WHERE id = ?", (command.producer_timestamp, node)
        )


def name_id(
    connection: sqlite3.Connection, table: Literal["environments", "producers"], name: str | None
) -> int | None:
    """Return the number of an environment or a producer, which is added if it is new."""
    if name is None:
        return None
    query = f"SELECT id FROM {table} WHERE name = ?"
    row = connection.execute(query, (name,)).fetchone()
    if row is None:
        connection.execute(f"INSERT INTO {table} (name) VALUES (?)", (name,))
        row = connection.execute(query, (name,)).fetchone()
    found: int = row[0]
    return found
