"""The flow of data: from the keys of Hiera's files to parameters of classes, and from there to resources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bunraku.runtime.state import DeclaredResource
from bunraku.workbench.graph.model import Graph, GraphEdge, GraphNode, shown_path
from bunraku.workbench.origins.origin import Origin
from bunraku.workbench.origins.origins import Origins


def flow_graph(origins: Origins) -> Graph:
    """Return the nodes and edges that data of Hiera reach in a catalog."""
    nodes: dict[str, GraphNode] = {}
    edges: dict[GraphEdge, None] = {}
    for resource in origins.compilation.catalog.resources:
        for name in resource.parameters:
            target = parameter_node(resource.reference, name) if is_own(resource, name) else None
            for origin in flow_sources(origins.parameter(resource, name), set()):
                source = origin_node(origin, nodes)
                nodes.setdefault(source.name, source)
                if target is not None:
                    nodes.setdefault(target.name, target)
                kind = "assigns" if source.kind == "key" and target is not None else "flows"
                to, label = (resource.reference, name) if target is None else (target.name, "")
                edges[GraphEdge(source.name, to, "data", kind, label)] = None
    reached = reached_from([node.name for node in nodes.values() if node.kind == "key"], edges)
    kept = [node for node in nodes.values() if node.name in reached or node.kind == "data file"]
    found = [edge for edge in edges if edge.source in reached]
    return Graph("", ("data",), tuple(kept), tuple(found))


def is_own(resource: DeclaredResource, name: str) -> bool:
    """Return whether a parameter is one of a class or a defined type that has code."""
    definition = resource.definition
    return definition is not None and name in definition.parameter_names


def flow_sources(origin: Origin, seen: set[int]) -> Iterator[Origin]:
    """Yield the data and the parameters that a value is made of; those of a parameter are its own."""
    if id(origin) in seen:
        return
    seen.add(id(origin))
    if origin.kind == "parameter" or (origin.kind == "data" and origin.name):
        yield origin
        return
    for one in origin.reads:
        yield from flow_sources(one, seen)


def origin_node(origin: Origin, nodes: dict[str, GraphNode]) -> GraphNode:
    """Return the node of a key or a parameter; the file of a key is added."""
    if origin.kind == "parameter":
        return parameter_node(origin.owner, origin.name)
    if origin.place is None:
        level = origin.text.removeprefix(f"Hiera: {origin.name} ").strip("()")
        file = GraphNode(level, "data file", "Data file", level)
        line = 0
    else:
        path, line = shown_path(origin.place.path), origin.place.line
        file = GraphNode(path, "data file", "Data file", path, path=path)
    nodes.setdefault(file.name, file)
    place = f"{file.name}:{line}" if line else file.name
    name = f"{origin.name} ({place})"
    return GraphNode(name, "key", "Key", origin.name, file.name, file.path, line)


def parameter_node(owner: str, name: str) -> GraphNode:
    """Return the node of a parameter.

    >>> parameter_node("Class[A::B]", "c").name, parameter_node("D[x]", "c").name
    ('$a::b::c', '$c of D[x]')
    """
    is_class = owner.startswith("Class[")
    shown = f"${owner[6:-1].lower()}::{name}" if is_class else f"${name} of {owner}"
    return GraphNode(shown, "parameter", "Parameter", name, owner)


def reached_from(starts: list[str], edges: Mapping[GraphEdge, None]) -> set[str]:
    """Return the nodes to which edges lead from some nodes."""
    after: dict[str, list[str]] = {}
    for edge in edges:
        after.setdefault(edge.source, []).append(edge.target)
    waiting, found = list(starts), set(starts)
    while waiting:
        for target in after.get(waiting.pop(), ()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found
