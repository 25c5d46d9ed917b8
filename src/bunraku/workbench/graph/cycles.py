"""Dependency cycles in a graph: a container begins before what it contains and ends after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bunraku.apply.graph import strong_parts
from bunraku.base.records import replace
from bunraku.runtime.cycles import Point, dependency_graph
from bunraku.workbench.graph.model import GraphEdge

Cycle = list[Point]


def cycles_of(edges: Sequence[GraphEdge]) -> list[Cycle]:
    """Return the points of each group that depends on itself, sorted."""
    contained = [(one.source, one.target) for one in edges if one.layer == "containment"]
    ordered = [(one.source, one.target) for one in edges if one.layer == "relationships"]
    graph = dependency_graph(contained, ordered)
    parts = strong_parts({point: dict.fromkeys(then) for point, then in whole_graph(graph).items()})
    return sorted(sorted(one) for one in parts if len(one) > 1 or one[0] in graph.get(one[0], ()))


def whole_graph(graph: dict[Point, list[Point]]) -> dict[Point, list[Point]]:
    """Return a dependency graph in which each point is a key."""
    ends: dict[Point, list[Point]] = {point: [] for points in graph.values() for point in points}
    return {**ends, **graph}


def with_cycles(edges: Iterable[GraphEdge], cycles: Sequence[Cycle]) -> Iterator[GraphEdge]:
    """Yield edges; those of a cycle are marked."""
    group = {point: number for number, cycle in enumerate(cycles) for point in cycle}
    for edge in edges:
        yield replace(edge, on_cycle=True) if is_on_cycle(edge, group) else edge


def is_on_cycle(edge: GraphEdge, group: dict[Point, int]) -> bool:
    """Return whether an edge is on a cycle; a container with an end is left there."""
    target = group.get(("start", edge.target))
    if target is None or edge.layer not in ("relationships", "containment"):
        return False
    if edge.layer == "containment":
        return group.get(("start", edge.source)) == target
    return target in (group.get(("start", edge.source)), group.get(("end", edge.source)))
