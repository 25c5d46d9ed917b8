"""Store catalogs: a node has the resources and edges of its newest one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from bunraku.base.bounded_cache import remembered
from bunraku.puppetdb.databases.database import Connection
from bunraku.puppetdb.databases.statement import Row
from bunraku.puppetdb.documents import Catalog, Edge, StoredResource, columns_of
from bunraku.puppetdb.hashes import (
    catalog_hash,
    content_hash,
    edge_json,
    resource_identity,
    resource_json,
    sorted_edges,
    sorted_resources,
)
from bunraku.puppetdb.json_values import canonical_json
from bunraku.puppetdb.storage.nodes import name_ids, node_id, reactivate
from bunraku.puppetdb.storage.shared_rows import (
    Membership,
    SharedTable,
    change_members,
    changed_members,
    shared_ids,
)

RESOURCES = SharedTable(
    "resources",
    ("identity", "type", "title", "exported", "tags", "file", "line", "parameters"),
)
EDGES = SharedTable(
    "edges", ("relationship", "source_type", "source_title", "target_type", "target_title")
)
RESOURCES_OF_NODE = Membership("catalog_resources", "resource_id", RESOURCES.name)
EDGES_OF_NODE = Membership("catalog_edges", "edge_id", EDGES.name)
COLUMNS = tuple(one.name for one in columns_of(Catalog))
CHANGED = ("hash", *COLUMNS, "environment_id", "producer_id", "timestamp")
STATE = "SELECT hash, producer_timestamp FROM catalogs WHERE node_id = ?"
STORE = (
    f"INSERT INTO catalogs (node_id, {', '.join(CHANGED)})"
    f" VALUES ({', '.join('?' * (len(CHANGED) + 1))}) ON CONFLICT (node_id) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in CHANGED)
)


def store_catalog(connection: Connection, catalog: Catalog, received: int) -> None:
    """Store a catalog, unless the node has a newer one.

    If its content is that of the stored catalog, only the metadata changes.
    """
    node = node_id(connection, catalog.certname)
    old = connection.execute(STATE, (node,)).fetchone()
    if old and old[1] > catalog.producer_timestamp:
        return
    resources, edges = sorted_resources(catalog.resources), sorted_edges(catalog.edges)
    texts = [*map(resource_json, resources)]
    distinct = dict(zip(map(edge_json, edges), edges, strict=True))
    content = catalog_hash(catalog.certname, texts, [*distinct])
    if not old or old[0] != content:
        store_resources(
            connection, node, dict(zip(map(content_hash, texts), resources, strict=True))
        )
        keys = map(content_hash, distinct)
        found = dict(zip(keys, distinct.values(), strict=True))
        members = changed_members(connection, EDGES_OF_NODE, node, found)
        ids, _ = shared_ids(connection, EDGES, members.wanted, edge_row)
        change_members(connection, EDGES_OF_NODE, node, members.gone, ids.values())
    store_metadata(connection, node, content, catalog, received)


def renew_catalog(connection: Connection, catalog: Catalog, content: str, received: int) -> bool:
    """Store the metadata of a catalog with the content that the node has, unless it has a newer catalog.

    Return False, and change nothing, if the node has other content than the one with this hash.
    """
    node = node_id(connection, catalog.certname)
    old = connection.execute(STATE, (node,)).fetchone()
    if old and old[1] > catalog.producer_timestamp:
        return True
    if not old or old[0] != content:
        return False
    store_metadata(connection, node, content, catalog, received)
    return True


def store_metadata(
    connection: Connection, node: int, content: str, catalog: Catalog, received: int
) -> None:
    """Store what is known of a catalog beside its content."""
    connection.execute(STORE, metadata_row(connection, node, content, catalog, received))
    reactivate(connection, node, catalog.producer_timestamp)


def store_resources(
    connection: Connection, node: int, resources: dict[bytes, StoredResource]
) -> None:
    """Store the resources of a node, with the tags of those that no other node has."""
    members = changed_members(connection, RESOURCES_OF_NODE, node, resources)
    ids, new = shared_ids(connection, RESOURCES, members.wanted, resource_row)
    connection.executemany(
        "INSERT INTO resource_tags (tag, resource_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [(tag, ids[key]) for key in new for tag in resources[key].tags],
    )
    change_members(connection, RESOURCES_OF_NODE, node, members.gone, ids.values())
    store_counts(connection, node, Counter([one.type for one in resources.values()]))


def store_counts(connection: Connection, node: int, wanted: Mapping[str, int]) -> None:
    """Store how many resources of each type a node has: write the difference only."""
    query = "SELECT type, count FROM resource_counts WHERE node_id = ?"
    present: dict[str, int] = dict(connection.execute(query, (node,)).fetchall())
    connection.executemany(
        "DELETE FROM resource_counts WHERE node_id = ? AND type = ?",
        [(node, type_) for type_ in sorted(present.keys() - wanted.keys())],
    )
    connection.executemany(
        "INSERT INTO resource_counts (node_id, type, count) VALUES (?, ?, ?)"
        " ON CONFLICT (node_id, type) DO UPDATE SET count = excluded.count",
        [(node, *item) for item in sorted(wanted.items()) if item not in present.items()],
    )


def metadata_row(
    connection: Connection, node: int, content: str, catalog: Catalog, received: int
) -> Row:
    """Return the row of a catalog."""
    return (
        node,
        content,
        *(getattr(catalog, name) for name in COLUMNS),
        *name_ids(connection, catalog.environment, catalog.producer),
        received,
    )


def resource_row(resource: StoredResource) -> Row:
    """Return the row of a resource, without its hash."""
    return (
        resource_identity(resource),
        resource.type,
        resource.title,
        resource.exported,
        tags_text(resource.tags),
        resource.file,
        resource.line,
        canonical_json(dict(resource.parameters)),
    )


@remembered(1000)
def tags_text(tags: tuple[str, ...]) -> str:
    """Return tags as the database has them; many resources have the same."""
    return canonical_json([*sorted(tags)])


def edge_row(edge: Edge) -> Row:
    """Return the row of an edge, without its hash."""
    return (edge.relationship, *edge.source, *edge.target)
