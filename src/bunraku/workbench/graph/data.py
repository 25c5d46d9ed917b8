"""Graphs as JSON for programs."""

from __future__ import annotations

from typing import Any

from bunraku.workbench.graph.model import Graph, GraphEdge, GraphNode


def graph_data(graph: Graph) -> dict[str, Any]:
    """Return a graph as JSON data; what is empty is left out of nodes and edges."""
    return {
        "name": graph.name,
        "kinds": list(graph.kinds),
        **({"compared": list(graph.compared)} if graph.compared else {}),
        "nodes": list(map(graph_node_data, graph.nodes)),
        "edges": list(map(graph_edge_data, graph.edges)),
        "cycles": [list(cycle) for cycle in graph.cycles],
    }


def graph_node_data(node: GraphNode) -> dict[str, Any]:
    """Return a node as JSON data."""
    found = {
        "name": node.name,
        "kind": node.kind,
        "type": node.type,
        "title": node.title,
        "container": node.container,
        "path": node.path,
        "line": node.line,
        "state": node.state,
        "changes": list(node.changes),
    }
    return {key: value for key, value in found.items() if value or key == "title"}


def graph_edge_data(edge: GraphEdge) -> dict[str, Any]:
    """Return an edge as JSON data."""
    found = {
        "source": edge.source,
        "target": edge.target,
        "layer": edge.layer,
        "kind": edge.kind,
        "label": edge.label,
        "path": edge.path,
        "line": edge.line,
        "state": edge.state,
        "cycle": edge.on_cycle,
    }
    return {key: value for key, value in found.items() if value}
