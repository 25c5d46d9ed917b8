"""The graph that an agent applies: the beginning and the end of a container stand for it."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.records import replace
from bunraku.runtime.cycles import Point, dependency_graph
from bunraku.workbench.graph.model import Graph, GraphEdge, GraphNode


def expanded_graph(graph: Graph) -> Graph:
    """Return the relationships of a graph between resources and the ends of containers.

    Puppet names them so in ``expanded_relationships.dot``.
    """
    edges = [edge for edge in graph.edges if edge.layer in ("relationships", "containment")]
    containers = {edge.source for edge in edges if edge.layer == "containment"}
    containers |= {node.name for node in graph.nodes if node.kind in ("class", "defined type")}
    nodes: list[GraphNode] = []
    for node in graph.nodes:
        if node.name in containers:
            points = [("start", node.name), ("end", node.name)]
            nodes += [
                replace(node, name=point_name(one, containers), container="") for one in points
            ]
        elif node.kind == "resource":
            nodes.append(replace(node, container=""))
    return replace(
        graph,
        kinds=("relationships",),
        nodes=nodes,
        edges=tuple(dict.fromkeys(edges_between(edges, containers))),
        cycles=(),
    )


def edges_between(edges: list[GraphEdge], containers: set[str]) -> Iterator[GraphEdge]:
    """Yield the edges of the dependency graph, and one through each container that contains nothing."""
    contained = [(one.source, one.target) for one in edges if one.layer == "containment"]
    empty = sorted(containers - {source for source, _ in contained})
    ordered = [(one.source, one.target) for one in edges if one.layer == "relationships"]
    graph = dependency_graph([*contained, *((name, name) for name in empty)], ordered)
    points = [*graph.items(), *((("start", name), [("end", name)]) for name in empty)]
    for source, targets in points:
        for target in targets:
            if source != target:
                first, then = (point_name(one, containers) for one in (source, target))
                yield GraphEdge(first, then, "relationships", "before")


def point_name(point: Point, containers: set[str]) -> str:
    """Return the name of a point: of a resource, or of an end of a container.

    >>> point_name(("end", "Concat::Fragment[a]"), {"Concat::Fragment[a]"})
    'Whit[Completed_concat::Fragment[a]]'
    """
    end, name = point
    if name not in containers:
        return name
    word = "Admissible" if end == "start" else "Completed"
    return f"Whit[{word}_{name[0].lower()}{name[1:]}]"
