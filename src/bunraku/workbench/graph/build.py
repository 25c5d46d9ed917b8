"""The graph of a catalog: its resources, what contains them, and their relationships."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bunraku.catalog.catalog import Catalog
from bunraku.catalog.resource import Resource
from bunraku.workbench.graph.cycles import cycles_of, with_cycles
from bunraku.workbench.graph.model import (
    Graph,
    GraphEdge,
    GraphKind,
    GraphNode,
    NodeKind,
    shown_path,
)
from bunraku.workbench.testing.order import Order


def graph_of(catalog: Catalog, more: Sequence[Graph] = ()) -> Graph:
    """Return the graph of a catalog; ``more`` are graphs of its includes and of its data."""
    nodes = {node.name: node for node in nodes_of(catalog)}
    edges = dict.fromkeys((*relationships(catalog), *containment(catalog)))
    kinds: list[GraphKind] = ["relationships", "containment"]
    for graph in more:
        nodes = {**{node.name: node for node in graph.nodes}, **nodes}
        edges.update(dict.fromkeys(graph.edges))
        kinds += graph.kinds
    edges = {edge: None for edge in edges if edge.source in nodes and edge.target in nodes}
    cycles = cycles_of(list(edges))
    found = tuple(with_cycles(edges, cycles))
    names = tuple(tuple(sorted({name for _, name in cycle})) for cycle in cycles)
    return Graph(catalog.name, tuple(kinds), tuple(nodes.values()), found, names)


def nodes_of(catalog: Catalog) -> Iterator[GraphNode]:
    """Yield a node for each resource of a catalog."""
    containers = {source for source, _ in catalog.edges}
    contained = {target: source for source, target in reversed(catalog.edges)}
    for one in catalog.resources:
        yield GraphNode(
            one.reference,
            kind_of(one, containers),
            one.type,
            one.title,
            contained.get(one.reference, ""),
            shown_path(one.file),
            one.line or 0,
        )


def kind_of(resource: Resource, containers: set[str]) -> NodeKind:
    """Return the kind of a resource; catalogs before Puppet 7 do not have it."""
    if resource.type == "Class":
        return "class"
    contains = resource.kind is None and resource.reference in containers
    return "defined type" if contains or resource.kind == "defined_type" else "resource"


def relationships(catalog: Catalog) -> Iterator[GraphEdge]:
    """Yield the relationships that parameters state, and those that types add."""
    order = Order(catalog)
    places = {one.reference: one for one in catalog.resources}
    for link in (*order.links, *order.automatic):
        stated = places[link.first if link.kind in ("before", "notify") else link.then]
        is_placed = link.kind != "automatic" and stated.file
        yield GraphEdge(
            link.first,
            link.then,
            "relationships",
            link.kind,
            path=shown_path(stated.file) if is_placed else "",
            line=(stated.line or 0) if is_placed else 0,
        )


def containment(catalog: Catalog) -> Iterator[GraphEdge]:
    """Yield the edges of containment between resources of a catalog."""
    known = {one.reference for one in catalog.resources}
    for source, target in catalog.edges:
        if source in known and target in known:
            yield GraphEdge(source, target, "containment", "contains")
