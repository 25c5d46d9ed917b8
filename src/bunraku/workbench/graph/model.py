"""Graphs of catalogs: what they contain, how it is ordered, who includes it, and which data reach it.

A graph has names, places and kinds, and no values of parameters: so it never has a secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from bunraku.base.paths import relative
from bunraku.base.records import record, replace

GraphKind = Literal["relationships", "containment", "includes", "data"]
NodeKind = Literal["class", "defined type", "resource", "data file", "key", "parameter"]
State = Literal["", "added", "removed", "changed"]
"""What a comparison found: a node or an edge without a state is the same on both sides."""
KINDS: tuple[GraphKind, ...] = get_args(GraphKind)


@record(frozen=True)
class GraphNode:
    """A resource, a class, or in the flow of data a file, a key or a parameter.

    ``name`` is unique: a reference, or the name of a key or parameter with its kind. ``container`` is the name of
    what contains it. ``changes`` are the names of the parameters that differ.
    """

    name: str
    kind: NodeKind
    type: str
    title: str
    container: str = ""
    path: str = ""
    line: int = 0
    state: State = ""
    changes: Sequence[str] = ()


@record(frozen=True)
class GraphEdge:
    """An edge between the names of two nodes, of one layer.

    ``kind`` is the parameter that states a relationship, or ``automatic``, ``contains``, ``includes``, ``may include``,
    ``inherits``, ``assigns`` or ``flows``. ``label`` is the name of the parameter that data flow to.
    """

    source: str
    target: str
    layer: GraphKind
    kind: str
    label: str = ""
    path: str = ""
    line: int = 0
    state: State = ""
    on_cycle: bool = False


@record(frozen=True)
class Graph:
    """The graph of a catalog, or of the difference of two. ``cycles`` have the names of their nodes, sorted."""

    name: str
    kinds: Sequence[GraphKind]
    nodes: Sequence[GraphNode]
    edges: Sequence[GraphEdge]
    cycles: Sequence[Sequence[str]] = ()
    compared: Sequence[str] = ()
    """The names of the two sides, if the graph is of a difference."""


def shown_path(path: str | None) -> str:
    """Return a path as people read it; empty for code that is in no file."""
    return relative(path) if path else ""


def of_kinds(graph: Graph, kinds: Iterable[GraphKind]) -> Graph:
    """Return the part of a graph that has some kinds of edges, with the nodes that belong to them.

    Relationships and containment have all resources; includes and data have only what an edge joins.
    """
    chosen = [kind for kind in KINDS if kind in set(kinds)]
    edges = [edge for edge in graph.edges if edge.layer in chosen]
    joined = {name for edge in edges for name in (edge.source, edge.target)}
    if "containment" in chosen:
        joined |= {node.container for node in graph.nodes if node.name in joined}
    all_resources = not {"relationships", "containment"}.isdisjoint(chosen)
    nodes = [
        node
        for node in graph.nodes
        if node.name in joined
        or (all_resources and node.kind in ("class", "defined type", "resource"))
    ]
    return replace(graph, kinds=chosen, nodes=nodes, edges=edges)
