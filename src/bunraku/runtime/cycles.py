"""Dependency cycles: find them and describe each as a path."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from bunraku.base.source import NOWHERE, Place
from bunraku.limits.limits import TimeLimitReached, reached
from bunraku.runtime import issues
from bunraku.runtime.declare import RELATIONSHIP_PARAMETERS
from bunraku.runtime.relate import RELATIONSHIP_NAMES, targets, text_key
from bunraku.runtime.state import Compilation, DeclaredResource

Point = tuple[str, str]


def check_cycles(compilation: Compilation, *, are_errors: bool) -> None:
    """Refuse relationships that form a cycle, or warn about them; the message shows the cycle.

    Puppet compiles such a catalog. Its agent refuses it, after it has added the automatic relationships.
    """
    pairs = list(relationships(compilation))
    if not is_circular(compilation.catalog.edges, pairs):
        return
    cycle = find_cycle(dependency_graph(compilation.catalog.edges, pairs))
    assert cycle is not None  # for the graphs are the same
    names = [name for kind, name in cycle if kind == "start"] or [name for _, name in cycle]
    path = " -> ".join([*names, names[0]])
    resource = compilation.catalog.index.get(text_key(names[0]) or ("", ""))
    place = NOWHERE if resource is None else Place.of(resource)
    error = issues.DEPENDENCY_CYCLE(path=path)
    if are_errors:
        raise error.at(place)
    message = f"{error.message}; the agent refuses this catalog"
    compilation.messages.warn_at(error.code, message, place.file, place.line)


def relationships(compilation: Compilation) -> Iterator[tuple[str, str]]:
    """Yield the relationships in parameters as pairs: the earlier reference, the later one."""
    for resource in compilation.catalog.resources:
        if RELATIONSHIP_NAMES.isdisjoint(resource.parameters) or resource.virtual:
            continue
        try:
            yield from relationships_of(compilation, resource)
        except (MemoryError, TimeLimitReached) as limit:
            raise reached(limit).at(Place.of(resource)) from None


def relationships_of(
    compilation: Compilation, resource: DeclaredResource
) -> Iterator[tuple[str, str]]:
    """Yield the relationships in the parameters of one resource."""
    index, name = compilation.catalog.index, resource.reference
    for parameter in RELATIONSHIP_PARAMETERS:
        if resource.parameters.get(parameter) is None:
            continue
        backwards = parameter in ("require", "subscribe")
        for key in targets(resource, parameter):
            found = index.get(key) or compilation.catalog.at(key)
            if found is not None:
                yield (found.reference, name) if backwards else (name, found.reference)


def is_circular(edges: list[tuple[str, str]], pairs: list[tuple[str, str]]) -> bool:
    """Return whether points are left after repeatedly removing those without dependencies.

    The points are those of :func:`dependency_graph` less the members of one container that contain
    nothing and are in no relationship, as most. A container's end is a tuple, which no reference is.

    >>> is_circular([("a", "b")], [("b", "c")]), is_circular([("a", "b")], [("b", "a")])
    (False, True)
    """
    ends = {container: (container,) for container, _ in edges}
    concerned = {*ends, *(name for pair in pairs for name in pair)}
    members = Counter(member for _, member in edges)
    concerned.update(member for member, count in members.items() if count > 1)
    following: defaultdict[Any, list[Any]] = defaultdict(list)
    for container, end in ends.items():
        following[container].append(end)
    for container, member in edges:
        if member in concerned:
            following[container].append(member)
            following[ends.get(member, member)].append(ends[container])
    for first, then in pairs:
        following[ends.get(first, first)].append(then)
    waiting: defaultdict[Any, int] = defaultdict(int)
    for points in following.values():
        for point in points:
            waiting[point] += 1
    ready = [point for point in following if point not in waiting]
    left = len(waiting)
    while ready:
        for point in following.get(ready.pop(), ()):
            waiting[point] -= 1
            if not waiting[point]:
                left -= 1
                ready.append(point)
    return left > 0


def dependency_graph(
    edges: list[tuple[str, str]], pairs: list[tuple[str, str]]
) -> dict[Point, list[Point]]:
    """Return the dependency graph: a container begins before its members and ends after them."""
    graph: dict[Point, list[Point]] = {}
    containers = {container for container, _ in edges}

    def ending(name: str) -> Point:
        return ("end", name) if name in containers else ("start", name)

    for container, member in edges:
        graph.setdefault(("start", container), []).append(("start", member))
        graph.setdefault(ending(member), []).append(("end", container))
    for first, then in pairs:
        graph.setdefault(ending(first), []).append(("start", then))
    return graph


def find_cycle(graph: dict[Point, list[Point]]) -> list[Point] | None:
    """Return a cycle in a graph, as the points on it in order; None without one."""
    done: set[Point] = set()
    for root in graph:
        if root in done:
            continue
        path: list[Point] = [root]
        on_path = {root: 0}
        ways = [iter(graph.get(root, ()))]
        while ways:
            following = next(ways[-1], None)
            if following is None:
                ways.pop()
                left = path.pop()
                del on_path[left]
                done.add(left)
            elif following in on_path:
                return path[on_path[following] :]
            elif following not in done:
                on_path[following] = len(path)
                path.append(following)
                ways.append(iter(graph.get(following, ())))
    return None
