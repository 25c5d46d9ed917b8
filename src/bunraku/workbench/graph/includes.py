"""Who includes whom: the classes of a catalog, and the code that brought each into it."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.runtime.state import DeclaredResource
from bunraku.syntax import nodes
from bunraku.types.text.display import capitalize
from bunraku.workbench.graph.model import Graph, GraphEdge, shown_path
from bunraku.workbench.origins.origin import CodePlace
from bunraku.workbench.origins.origins import Origins
from bunraku.workbench.origins.trees import name_of_call

INCLUDING = frozenset({"contain", "hiera_include", "include", "require"})


def includes_graph(origins: Origins) -> Graph:
    """Return the edges between classes, and from node definitions and defined types to classes."""
    edges = dict.fromkeys((*first_includes(origins), *parents(origins)))
    known = {(edge.source, edge.target) for edge in edges}
    for edge in named_includes(origins):
        if (edge.source, edge.target) not in known:
            known.add((edge.source, edge.target))
            edges[edge] = None
    return Graph("", ("includes",), (), tuple(edges))


def classes(origins: Origins) -> Iterator[DeclaredResource]:
    """Yield the resources of the classes of a catalog that have code."""
    for resource in origins.compilation.catalog.resources:
        if resource.type == "Class" and resource.definition is not None:
            yield resource


def first_includes(origins: Origins) -> Iterator[GraphEdge]:
    """Yield an edge from the code that brought a class into the catalog, which a compile records."""
    for resource in classes(origins):
        container = resource.scope.resource
        if container is not None and container is not resource:
            _, place = origins.how(resource, container)
            yield edge(container.reference, resource.reference, "includes", place)


def parents(origins: Origins) -> Iterator[GraphEdge]:
    """Yield an edge from each class to the one that it inherits from."""
    for resource in classes(origins):
        definition = resource.definition
        if definition is not None and definition.parent:
            parent = capitalize(definition.parent.removeprefix("::").lower())
            place = CodePlace(definition.file, definition.line)
            yield edge(resource.reference, f"Class[{parent}]", "inherits", place)


def named_includes(origins: Origins) -> Iterator[GraphEdge]:
    """Yield an edge from all code that names a class of the catalog in a call such as ``include``.

    A compile records only the first include of a class. The code may stand in a branch that the compile did not take.
    """
    present = {resource.reference for resource in classes(origins)}
    for resource in origins.compilation.catalog.resources:
        definition = resource.definition
        if definition is None or definition.kind not in ("class", "define"):
            continue
        found = origins.trees.definition(definition.kind, definition.name, definition.file)
        if found is None:
            continue
        tree, owner = found
        for call in tree.nodes:
            if isinstance(call, nodes.Call) and name_of_call(call) in INCLUDING:
                for name in included_names(call) if tree.owner(call) is owner else ():
                    target = f"Class[{capitalize(name)}]"
                    if target in present and target != resource.reference:
                        yield edge(resource.reference, target, "may include", tree.place(call))


def included_names(call: nodes.Call) -> Iterator[str]:
    """Yield the names of the classes that stand in a call."""
    for argument in call.arguments:
        values = argument.values if isinstance(argument, nodes.List) else [argument]
        for value in values:
            if isinstance(value, nodes.String | nodes.Name):
                yield value.value.removeprefix("::").lower()


def edge(source: str, target: str, kind: str, place: CodePlace | None) -> GraphEdge:
    """Return an edge with its place."""
    if place is None:
        return GraphEdge(source, target, "includes", kind)
    path = shown_path(place.path)
    return GraphEdge(source, target, "includes", kind, path=path, line=place.line)
