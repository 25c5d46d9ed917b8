"""Store catalogs: a node has the resources and edges of its newest one."""

from __future__ import annotations

from bunraku.base.bounded_cache import remembered
from bunraku.puppetdb.databases.database import Connection
from bunraku.puppetdb.databases.statement import Row
from bunraku.puppetdb.documents import Catalog, Edge, Resource
from bunraku.puppetdb.json_values import canonical_json
from bunraku.puppetdb.storage.nodes import name_id, node_id, reactivate
from bunraku.puppetdb.storage.shared_rows import (
    Membership,
    SharedTable,
    digest,
    hash_text,
    replace_members,
    shared_ids,
)

RESOURCES = SharedTable(
    "resources", ("type", "title", "exported", "tags", "file", "line", "parameters")
)
EDGES = SharedTable(
    "edges", ("relationship", "source_type", "source_title", "target_type", "target_title")
)
RESOURCES_OF_NODE = Membership("catalog_resources", "resource_id", RESOURCES.name)
EDGES_OF_NODE = Membership("catalog_edges", "edge_id", EDGES.name)
STORE = """
INSERT INTO catalogs (
    node_id, hash, version, transaction_uuid, catalog_uuid, code_id, job_id,
    environment_id, producer_id, producer_timestamp, timestamp
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (node_id) DO UPDATE SET
    hash = excluded.hash,
    version = excluded.version,
    transaction_uuid = excluded.transaction_uuid,
    catalog_uuid = excluded.catalog_uuid,
    code_id = excluded.code_id,
    job_id = excluded.job_id,
    environment_id = excluded.environment_id,
    producer_id = excluded.producer_id,
    producer_timestamp = excluded.producer_timestamp,
    timestamp = excluded.timestamp
"""


def store_catalog(connection: Connection, catalog: Catalog, received: int) -> None:
    """Store a catalog, unless the node has a newer one.

    If its content is that of the stored catalog, only the metadata changes.
    """
    node = node_id(connection, catalog.certname)
    query = "SELECT hash, producer_timestamp FROM catalogs WHERE node_id = ?"
    old = connection.execute(query, (node,)).fetchone()
    if old and old[1] > catalog.producer_timestamp:
        return
    resources = dict(map(resource_row, catalog.resources))
    edges = dict(map(edge_row, catalog.edges))
    content = hash_text([*resources, *edges], catalog.certname)
    if not old or old[0] != content:
        store_resources(connection, node, resources, catalog)
        ids, _ = shared_ids(connection, EDGES, edges)
        replace_members(connection, EDGES_OF_NODE, node, ids.values())
    connection.execute(STORE, metadata_row(connection, node, content, catalog, received))
    reactivate(connection, node, catalog.producer_timestamp)


def store_resources(
    connection: Connection, node: int, rows: dict[bytes, Row], catalog: Catalog
) -> None:
    """Store the resources of a node, with the tags of those that no other node has."""
    ids, new = shared_ids(connection, RESOURCES, rows)
    tags = dict(zip(rows, [resource.tags for resource in catalog.resources], strict=True))
    connection.executemany(
        "INSERT INTO resource_tags (tag, resource_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [(tag, ids[key]) for key in new for tag in tags[key]],
    )
    replace_members(connection, RESOURCES_OF_NODE, node, ids.values())


def metadata_row(
    connection: Connection, node: int, content: str, catalog: Catalog, received: int
) -> Row:
    """Return the row of a catalog."""
    return (
        node,
        content,
        catalog.version,
        catalog.transaction_uuid,
        catalog.catalog_uuid,
        catalog.code_id,
        catalog.job_id,
        name_id(connection, "environments", catalog.environment),
        name_id(connection, "producers", catalog.producer),
        catalog.producer_timestamp,
        received,
    )


def resource_row(resource: Resource) -> tuple[bytes, Row]:
    """Return the hash and the row of a resource."""
    tags = tags_text(resource.tags)
    parameters = canonical_json(dict(resource.parameters))
    place = f"{resource.file}:{resource.line}:{resource.exported}"
    key = digest(resource.type, resource.title, place, tags, parameters)
    return key, (
        resource.type,
        resource.title,
        resource.exported,
        tags,
        resource.file,
        resource.line,
        parameters,
    )


@remembered(1000)
def tags_text(tags: tuple[str, ...]) -> str:
    """Return tags as the database has them; many resources have the same."""
    return canonical_json([*sorted(tags)])


def edge_row(edge: Edge) -> tuple[bytes, Row]:
    """Return the hash and the row of an edge."""
    row = (
        edge.relationship,
        *edge.source,
        *edge.target,
    )
    return digest(*row), row
