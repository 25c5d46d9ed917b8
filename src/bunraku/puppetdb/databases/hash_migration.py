"""Compute the hashes of stored documents again, after the rule for them has changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from bunraku.puppetdb.databases.database import Connection
from bunraku.puppetdb.documents import Edge, Factset, Package, StoredResource
from bunraku.puppetdb.hashes import (
    catalog_hash,
    content_hash,
    edge_json,
    factset_hash,
    resource_identity,
    resource_json,
    sorted_edges,
    sorted_resources,
)

RESOURCE = "r.type, r.title, r.exported, r.tags, r.file, r.line, r.parameters"
EDGE = "e.relationship, e.source_type, e.source_title, e.target_type, e.target_title"
RESOURCES_OF_NODE = (
    f"SELECT {RESOURCE} FROM catalog_resources AS cr JOIN resources AS r ON r.id = cr.resource_id"
    " WHERE cr.node_id = ?"
)
EDGES_OF_NODE = (
    f"SELECT {EDGE} FROM catalog_edges AS ce JOIN edges AS e ON e.id = ce.edge_id"
    " WHERE ce.node_id = ?"
)
VALUES_OF_NODE = (
    "SELECT v.name, v.value FROM facts AS f JOIN fact_values AS v ON v.id = f.value_id"
    " WHERE f.node_id = ?"
)
PACKAGES_OF_NODE = (
    "SELECT k.name, k.version, k.provider FROM node_packages AS np"
    " JOIN packages AS k ON k.id = np.package_id WHERE np.node_id = ?"
)
FACTSETS = (
    "SELECT n.id, n.certname, e.name FROM factsets AS fs JOIN nodes AS n ON n.id = fs.node_id"
    " LEFT JOIN environments AS e ON e.id = fs.environment_id"
)
CATALOGS = "SELECT n.id, n.certname FROM catalogs AS c JOIN nodes AS n ON n.id = c.node_id"


def rehash(connection: Connection) -> None:
    """Give all resources, edges, catalogs and factsets their hashes."""
    found = connection.execute(f"SELECT r.id, {RESOURCE} FROM resources AS r").fetchall()
    connection.executemany(
        "UPDATE resources SET hash = ?, identity = ? WHERE id = ?",
        [(*hashes_of(resource_of(row)), number) for number, *row in found],
    )
    found = connection.execute(f"SELECT e.id, {EDGE} FROM edges AS e").fetchall()
    connection.executemany(
        "UPDATE edges SET hash = ? WHERE id = ?",
        [(content_hash(edge_json(edge_of(row))), number) for number, *row in found],
    )
    for node, certname in connection.execute(CATALOGS).fetchall():
        rehash_catalog(connection, node, certname)
    for node, certname, environment in connection.execute(FACTSETS).fetchall():
        rehash_factset(connection, node, certname, environment)


def hashes_of(resource: StoredResource) -> tuple[bytes, bytes]:
    """Return the hash of a resource's content, and the one that answers show."""
    return content_hash(resource_json(resource)), resource_identity(resource)


def resource_of(row: Sequence[Any]) -> StoredResource:
    """Return a stored resource."""
    type_, title, exported, tags, file, line, parameters = row
    return StoredResource(
        type_, title, bool(exported), tuple(json.loads(tags)), file, line, json.loads(parameters)
    )


def edge_of(row: Sequence[Any]) -> Edge:
    """Return a stored edge."""
    relationship, source_type, source_title, target_type, target_title = row
    return Edge((source_type, source_title), (target_type, target_title), relationship)


def rehash_catalog(connection: Connection, node: int, certname: str) -> None:
    """Give the catalog of a node its hash."""
    resources = map(resource_of, connection.execute(RESOURCES_OF_NODE, (node,)).fetchall())
    edges = map(edge_of, connection.execute(EDGES_OF_NODE, (node,)).fetchall())
    found = catalog_hash(
        certname,
        [*map(resource_json, sorted_resources(resources))],
        [*map(edge_json, sorted_edges(edges))],
    )
    connection.execute("UPDATE catalogs SET hash = ? WHERE node_id = ?", (found, node))


def rehash_factset(
    connection: Connection, node: int, certname: str, environment: str | None
) -> None:
    """Give the facts of a node their hash."""
    values = connection.execute(VALUES_OF_NODE, (node,)).fetchall()
    packages = connection.execute(PACKAGES_OF_NODE, (node,)).fetchall()
    factset = Factset(
        certname,
        environment,
        None,
        0,
        {name: json.loads(value) for name, value in values},
        tuple([Package(*row) for row in packages]),
    )
    found = factset_hash(factset)
    connection.execute("UPDATE factsets SET hash = ? WHERE node_id = ?", (found, node))
