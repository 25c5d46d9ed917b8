"""Store catalog inputs: what a compile looked up, such as keys of Hiera."""

from __future__ import annotations

from bunraku.puppetdb.databases.database import Connection
from bunraku.puppetdb.documents import CatalogInputs
from bunraku.puppetdb.storage.nodes import node_id, reactivate


def store_catalog_inputs(connection: Connection, command: CatalogInputs) -> None:
    """Store the inputs of a node's catalog, unless it has newer ones; none change nothing."""
    if not command.inputs:
        return
    node = node_id(connection, command.certname)
    reactivate(connection, node, command.producer_timestamp)
    query = "SELECT catalog_inputs_timestamp FROM nodes WHERE id = ?"
    row = connection.execute(query, (node,)).fetchone()
    if row is not None and row[0] is not None and row[0] >= command.producer_timestamp:
        return
    query = "SELECT type, name FROM catalog_inputs WHERE node_id = ?"
    present = {(kind, name) for kind, name in connection.execute(query, (node,))}
    wanted = set(command.inputs)
    connection.executemany(
        "DELETE FROM catalog_inputs WHERE node_id = ? AND type = ? AND name = ?",
        [(node, *item) for item in sorted(present - wanted)],
    )
    connection.executemany(
        "INSERT INTO catalog_inputs (node_id, type, name) VALUES (?, ?, ?)",
        [(node, *item) for item in sorted(wanted - present)],
    )
    connection.execute(
        "UPDATE nodes SET catalog_inputs_timestamp = ?, catalog_inputs_uuid = ? WHERE id = ?",
        (command.producer_timestamp, command.catalog_uuid, node),
    )
