"""Load documents into a database in memory, which answers queries of them.

Only the parts that a query reads are loaded: most queries do not need the resources of catalogs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from bunraku.puppetdb.commands.process import Change
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.documents import (
    Catalog,
    Edge,
    Factset,
    Package,
    Reference,
    StoredResource,
    columns_of,
)
from bunraku.puppetdb.json_values import Json, storable_text
from bunraku.puppetdb.site.documents import Data, Documents, NodeData, items_of, secret_free
from bunraku.puppetdb.storage.catalogs import store_catalog
from bunraku.puppetdb.storage.facts import store_facts
from bunraku.puppetdb.timestamps import to_milliseconds

FACTS, RESOURCES, EDGES, OTHERS = "facts", "resources", "edges", "others"
PARTS_OF_ENTITIES: Mapping[str, frozenset[str]] = {
    "catalogs": frozenset([RESOURCES, EDGES]),
    "edges": frozenset([EDGES]),
    "resources": frozenset([RESOURCES]),
    **dict.fromkeys(
        (
            "fact",
            "fact_contents",
            "fact_names",
            "fact_paths",
            "facts",
            "factsets",
            "inventory",
            "package_inventory",
            "packages",
        ),
        frozenset([FACTS]),
    ),
    **dict.fromkeys(
        (
            "catalog_input_contents",
            "catalog_inputs",
            "environments",
            "events",
            "nodes",
            "producers",
            "reports",
        ),
        frozenset([OTHERS]),
    ),
}
"""What an entity needs, and the condition ``["fact", name]``; ``others`` are what only archives have."""
SECONDS = re.compile(r"\d{9,11}", re.ASCII)
"""A version of a catalog that is the time of its compile."""
REFERENCE = re.compile(r"([^\[\]]+)\[(.*)\]", re.DOTALL)
TEXTS = [one.name for one in columns_of(Catalog) if one.kind == "text" and one.nullable]
"""The optional texts of a catalog."""
PACKAGE_PARTS = 3


def parts_of(query: Json) -> frozenset[str]:
    """Return the parts of documents that a query may read.

    >>> names = ["extract", "certname", ["select_fact_contents", ["=", "value", 1]]]
    >>> sorted(parts_of(["from", "nodes", ["in", "certname", names]]))
    ['facts', 'others']
    """
    if isinstance(query, str):
        name = query.removeprefix("select_").replace("-", "_")
        return PARTS_OF_ENTITIES.get(name, frozenset())
    parts = map(parts_of, query if isinstance(query, list) else ())
    return frozenset().union(*parts)


def no_changes() -> Iterable[Change]:
    """Return no documents, for a source that has none of this kind."""
    return ()


def load(
    documents: Documents,
    parts: frozenset[str],
    others: Callable[[], Iterable[Change]] = no_changes,
) -> bytes:
    """Return the image of an SQLite database that has these parts of documents.

    ``others`` returns how documents that are neither catalogs nor facts change the database.

    Times are those of the documents. Where a document has none, it is the beginning of 1970, so
    that answers do not depend on the time of the compile.
    """
    nodes = documents.nodes.values()
    if not documents.unclean:
        try:
            return load_nodes(nodes, parts, others)
        except ValueError:  # a number beyond the range of floats
            documents.unclean = True
    return load_nodes(map(cleaned, nodes), parts, others)


def load_nodes(
    nodes: Iterable[NodeData], parts: frozenset[str], others: Callable[[], Iterable[Change]]
) -> bytes:
    """Return the image of a database with the data of nodes, and with other documents."""
    database = SqliteDatabase(":memory:")
    try:
        with database.bulk() as connection:
            for node in nodes:
                if node.catalog is not None or node.listed:
                    catalog = catalog_of(node, parts)
                    store_catalog(connection, catalog, catalog.producer_timestamp)
                if node.facts is not None:
                    factset = factset_of(node, parts)
                    store_facts(connection, factset, factset.producer_timestamp)
            for change in others() if OTHERS in parts else ():
                change(connection)
        return database.image()
    finally:
        database.close()


# -- catalogs ----------------------------------------------------------------------------------------


def catalog_of(node: NodeData, parts: frozenset[str]) -> Catalog:
    """Return the catalog of a node; one that consists of listed resources has no version."""
    data = node.catalog or {}
    version = str(data.get("version") or "")
    return Catalog(
        certname=node.certname,
        version=version,
        environment=text_of(node.environment),
        **{name: text_of(data.get(name)) for name in TEXTS},
        producer=text_of(data.get("producer")),
        producer_timestamp=time_of(data, version),
        resources=distinct_resources(node.resources) if RESOURCES in parts else (),
        edges=tuple(edges_of(data)) if EDGES in parts else (),
    )


def distinct_resources(resources: Iterable[Data]) -> tuple[StoredResource, ...]:
    """Return resources; of those with the same type and title, the last one."""
    found: dict[tuple[str, str], StoredResource] = {}
    for data in resources:
        resource = resource_of(data)
        found[resource.type, resource.title] = resource
    return tuple(found.values())


def resource_of(data: Data) -> StoredResource:
    """Return a resource without its sensitive parameters."""
    line = data.get("line")
    return StoredResource(
        type=data["type"],
        title=str(data["title"]),
        exported=bool(data.get("exported")),
        tags=tuple(data.get("tags") or ()),
        file=text_of(data.get("file")),
        line=line if isinstance(line, int) and abs(line) < 1 << 63 else None,
        parameters=secret_free(data),
    )


def edges_of(catalog: Data) -> Iterator[Edge]:
    """Yield the edges of a catalog whose ends are readable; those that agents get are of containers."""
    for data in items_of(catalog.get("edges") or ()):
        if isinstance(data, Mapping):
            source, target = edge_end(data, "source"), edge_end(data, "target")
            if source is not None and target is not None:
                yield Edge(source, target, text_of(data.get("relationship")) or "contains")


def edge_end(edge: Data, end: str) -> Reference | None:
    """Return an end of an edge: of the form ``Type[title]``, a hash, or two fields as in answers."""
    value = edge.get(end)
    if isinstance(value, str):
        found = REFERENCE.fullmatch(value)
        return (found[1], found[2]) if found else None
    if isinstance(value, Mapping):
        type_, title = value.get("type"), value.get("title")
    else:
        type_, title = edge.get(f"{end}_type"), edge.get(f"{end}_title")
    if isinstance(type_, str) and isinstance(title, str):
        return type_, title
    return None


# -- facts -------------------------------------------------------------------------------------------


def factset_of(node: NodeData, parts: frozenset[str]) -> Factset:
    """Return the facts of a node."""
    return Factset(
        certname=node.certname,
        environment=text_of(node.header.get("environment") or node.environment),
        producer=text_of(node.header.get("producer")),
        producer_timestamp=time_of(node.header),
        values=(node.facts or {}) if FACTS in parts else {},
        packages=packages_of(node.header.get("package_inventory")) if FACTS in parts else None,
    )


def packages_of(value: Any) -> tuple[Package, ...]:
    """Return the packages of a node: arrays of name, version and provider."""
    found = value if isinstance(value, list) else []
    return tuple(
        [
            Package(*item)
            for item in found
            if isinstance(item, list)
            and len(item) == PACKAGE_PARTS
            and all(isinstance(part, str) for part in item)
        ]
    )


# -- values ------------------------------------------------------------------------------------------


def time_of(data: Data, version: str = "") -> int:
    """Return the time of a document in milliseconds; a catalog's version can be the time, too.

    >>> time_of({"timestamp": "1970-01-01T00:00:01Z"}), time_of({}, "1700000000"), time_of({}, "7")
    (1000, 1700000000000, 0)
    """
    for name in ("producer_timestamp", "timestamp"):
        found = to_milliseconds(data.get(name))
        if found is not None:
            return found
    return int(version) * 1000 if SECONDS.fullmatch(version) else 0


def text_of(value: Any) -> str | None:
    """Return a text; None for any other value."""
    return value if isinstance(value, str) else None


def cleaned(node: NodeData) -> NodeData:
    """Return the data of a node as a database can store them."""
    return NodeData(
        storable_text(node.certname),
        clean(node.catalog),
        clean(node.listed),
        clean(node.facts),
        clean(node.header),
    )


def clean(value: Any) -> Any:
    """Return a value without characters that a database refuses; infinite numbers become text."""
    kind = value.__class__
    if kind is str:
        return storable_text(value)
    if kind is list:
        return [clean(item) for item in value]
    if kind is dict:
        return {storable_text(str(key)): clean(item) for key, item in value.items()}
    if kind is float and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value
