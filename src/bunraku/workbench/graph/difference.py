"""The difference of two catalogs as one graph: what either has, each with its state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bunraku.base.records import replace
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.compare import compare
from bunraku.workbench.graph.build import graph_of
from bunraku.workbench.graph.model import Graph, GraphEdge, GraphNode


def difference_graph(old: Catalog, new: Catalog, names: tuple[str, str]) -> Graph:
    """Return the graph of both catalogs; ``names`` are those of the sides."""
    before, after = graph_of(old), graph_of(new)
    found = compare(old.to_data(), new.to_data())
    changes = {one.reference: tuple(item.name for item in one.changes) for one in found.changed}
    return replace(
        after,
        nodes=tuple(merged_nodes(before.nodes, after.nodes, changes)),
        edges=tuple(merged_edges(before.edges, after.edges)),
        compared=names,
    )


def merged_nodes(
    old: Iterable[GraphNode], new: Iterable[GraphNode], changes: Mapping[str, tuple[str, ...]]
) -> Iterator[GraphNode]:
    """Yield the nodes of both sides, those of the old side only at the end."""
    before = {node.name: node for node in old}
    for node in new:
        if before.pop(node.name, None) is None:
            yield replace(node, state="added")
        elif node.name in changes:
            yield replace(node, state="changed", changes=changes[node.name])
        else:
            yield node
    for node in before.values():
        yield replace(node, state="removed")


def merged_edges(old: Iterable[GraphEdge], new: Iterable[GraphEdge]) -> Iterator[GraphEdge]:
    """Yield the edges of both sides; places and cycles make no difference."""
    before = {edge_key(edge): edge for edge in old}
    for edge in new:
        is_known = before.pop(edge_key(edge), None) is not None
        yield edge if is_known else replace(edge, state="added")
    for edge in before.values():
        yield replace(edge, state="removed", on_cycle=False)


def edge_key(edge: GraphEdge) -> tuple[str, ...]:
    """Return what two sides have in common of the same edge."""
    return edge.source, edge.target, edge.layer, edge.kind, edge.label
