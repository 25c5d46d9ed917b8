"""What the page of a graph reads: lists of numbers and texts, which are small and fast to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bunraku.workbench.graph.model import Graph, GraphKind


def page_data(graphs: Sequence[Graph], shown: Sequence[GraphKind]) -> tuple[str, str, Any]:
    """Return title, subtitle and data of a page; ``shown`` are the kinds of edges that it shows at first."""
    first = graphs[0]
    title = f"Graph of {first.name}" if len(graphs) == 1 else f"Graphs of {len(graphs)} nodes"
    sides = f"{first.compared[0]} compared with {first.compared[1]}" if first.compared else ""
    found = {"shown": list(shown), "graphs": list(map(compact_graph, graphs))}
    return title, sides, found


class TextNumbers:
    """Numbers of texts, in the order in which they were first asked for."""

    def __init__(self) -> None:
        self.texts: dict[Any, int] = {}

    def of(self, text: Any) -> int:
        """Return the number of a text."""
        return self.texts.setdefault(text, len(self.texts))


def compact_graph(graph: Graph) -> dict[str, Any]:
    """Return a graph as lists of numbers and texts, which the page reads fast."""
    index = {node.name: number for number, node in enumerate(graph.nodes)}
    paths, types, kinds = TextNumbers(), TextNumbers(), TextNumbers()
    nodes = [
        [
            node.name,
            node.kind,
            types.of(node.type),
            index.get(node.container, -1),
            paths.of(node.path),
            node.line,
            node.state,
            list(node.changes),
        ]
        for node in graph.nodes
    ]
    edges = [
        [
            index[edge.source],
            index[edge.target],
            kinds.of((edge.layer, edge.kind)),
            edge.label,
            paths.of(edge.path),
            edge.line,
            edge.state,
            int(edge.on_cycle),
        ]
        for edge in graph.edges
    ]
    return {
        "name": graph.name,
        "compared": list(graph.compared),
        "paths": list(paths.texts),
        "types": list(types.texts),
        "kinds": [list(kind) for kind in kinds.texts],
        "nodes": nodes,
        "edges": edges,
        "cycles": [[index[name] for name in cycle] for cycle in graph.cycles],
    }
