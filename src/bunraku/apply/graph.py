"""The order of a run: resources, the beginnings and ends of containers, and their dependencies."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

from bunraku.providers.managed_resource import ManagedResource


class Container:
    """A class, a defined resource or a stage: it contains resources and is not applied itself."""

    __slots__ = ("begin", "end", "path", "reference", "tags")

    def __init__(
        self, reference: str, path: tuple[str, ...], tags: Iterable[str], shown: str | None = None
    ) -> None:
        self.reference = reference
        self.path = path
        self.tags = tuple(tags)
        self.begin = Boundary(shown or reference, self.tags, ends=False)
        self.end = Boundary(shown or reference, self.tags, ends=True)


class Boundary:
    """The beginning or the end of a container, or the end of the children of a resource."""

    __slots__ = ("ends", "path", "reference", "tags")

    def __init__(self, reference: str, tags: Iterable[str], *, ends: bool) -> None:
        self.reference = reference
        self.path = reference
        self.tags = tuple(tags)
        self.ends = ends

    def __repr__(self) -> str:
        return self.reference


Item = ManagedResource | Container
Vertex = ManagedResource | Boundary
Priority = tuple[int, ...]
AnyVertex = TypeVar("AnyVertex", bound=Hashable)


def entry(item: Item) -> Vertex:
    """Return the first vertex of an item."""
    return item.begin if isinstance(item, Container) else item


def exit_of(item: Item) -> Vertex:
    """Return the last vertex of an item."""
    return item.end if isinstance(item, Container) else item


class Graph:
    """The dependencies between vertices.

    An edge is True if a change of its source refreshes its target. Each vertex has a priority, its
    position in the catalog. Of the vertices that wait for nothing, the lowest priority is next.
    """

    def __init__(self) -> None:
        self.after: dict[Vertex, dict[Vertex, bool]] = {}
        self.before: dict[Vertex, dict[Vertex, bool]] = {}
        self.priorities: dict[Vertex, Priority] = {}
        self.children: dict[Vertex, int] = {}
        """The number of vertices generated below a resource."""
        self.done: set[Vertex] = set()
        self.waiting: dict[Vertex, int] = {}
        self.ready: list[tuple[Priority, int, Vertex]] = []
        self.queued: set[Vertex] = set()
        self.count = 0

    # -- building --------------------------------------------------------------------------------

    def add(self, vertex: Vertex, priority: Priority) -> None:
        """Add a vertex."""
        self.after.setdefault(vertex, {})
        self.before.setdefault(vertex, {})
        self.priorities[vertex] = priority

    def below(self, parent: Vertex) -> Priority:
        """Return the priority of the next vertex to be generated below another one."""
        number = self.children.get(parent, 0)
        self.children[parent] = number + 1
        return (*self.priorities[parent], number)

    def connect(self, first: Vertex, then: Vertex, *, refreshes: bool) -> None:
        """Add an edge, or make an existing edge refresh too."""
        known = self.after[first].get(then, False)
        self.after[first][then] = self.before[then][first] = known or refreshes

    def disconnect(self, first: Vertex, then: Vertex) -> None:
        """Remove an edge."""
        del self.after[first][then], self.before[then][first]

    def connected(self, first: Vertex, then: Vertex) -> bool:
        """Return whether there is an edge."""
        return then in self.after.get(first, ())

    # -- the order -------------------------------------------------------------------------------

    def start(self) -> None:
        """Count the vertices that each vertex waits for."""
        for vertex in self.after:
            self.recount(vertex)

    def recount(self, vertex: Vertex) -> None:
        """Count the vertices that a vertex waits for again; without any, the vertex is ready."""
        waiting = sum(1 for one in self.before[vertex] if one not in self.done)
        self.waiting[vertex] = waiting
        if vertex in self.done:
            return
        if waiting == 0:
            self.enqueue(vertex)
        else:
            self.queued.discard(vertex)

    def enqueue(self, vertex: Vertex) -> None:
        """Add a vertex to the queue of ready vertices."""
        if vertex not in self.queued:
            self.queued.add(vertex)
            self.count += 1
            heapq.heappush(self.ready, (self.priorities[vertex], self.count, vertex))

    def next(self) -> Vertex | None:
        """Remove and return the ready vertex with the lowest priority; None if none is ready."""
        while self.ready:
            vertex = heapq.heappop(self.ready)[2]
            if vertex in self.queued:
                self.queued.discard(vertex)
                return vertex
        return None

    def finish(self, vertex: Vertex) -> None:
        """Mark a vertex as done; vertices that waited only for it become ready."""
        self.done.add(vertex)
        for then in self.after[vertex]:
            self.waiting[then] -= 1
            if self.waiting[then] == 0 and then not in self.done:
                self.enqueue(then)

    def any_ready(self) -> bool:
        """Return whether a vertex is ready."""
        return bool(self.queued)

    # -- cycles ----------------------------------------------------------------------------------

    def cycles(self) -> list[list[Vertex]]:
        """Return the strongly connected components that have a cycle, each sorted by reference."""
        return [
            sorted(part, key=lambda vertex: vertex.reference)
            for part in strong_parts(self.after)
            if len(part) > 1 or part[0] in self.after[part[0]]
        ]

    def cycle_through(self, part: list[Vertex]) -> list[Vertex]:
        """Return a shortest cycle of a strongly connected component, from its first resource."""
        start = next((one for one in part if isinstance(one, ManagedResource)), part[0])
        unseen = set(part)
        paths = [[start]]
        for path in paths:
            for then in self.after[path[-1]]:
                if then is start:
                    return path
                if then in unseen:
                    unseen.discard(then)
                    paths.append([*path, then])
        return part


def strong_parts(after: Mapping[AnyVertex, Iterable[AnyVertex]]) -> Iterator[list[AnyVertex]]:
    """Yield the strongly connected components of a graph (Tarjan's algorithm, without recursion)."""
    numbers: dict[AnyVertex, int] = {}
    lowest: dict[AnyVertex, int] = {}
    path: list[AnyVertex] = []
    on_path: set[AnyVertex] = set()
    for root, first in after.items():
        if root in numbers:
            continue
        work: list[tuple[AnyVertex, Iterator[AnyVertex]]] = [(root, iter(first))]
        numbers[root] = lowest[root] = len(numbers)
        path.append(root)
        on_path.add(root)
        while work:
            vertex, rest = work[-1]
            for then in rest:
                if then not in numbers:
                    numbers[then] = lowest[then] = len(numbers)
                    path.append(then)
                    on_path.add(then)
                    work.append((then, iter(after[then])))
                    break
                if then in on_path:
                    lowest[vertex] = min(lowest[vertex], numbers[then])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    lowest[parent] = min(lowest[parent], lowest[vertex])
                if lowest[vertex] == numbers[vertex]:
                    at = path.index(vertex)
                    part = path[at:]
                    del path[at:]
                    on_path.difference_update(part)
                    yield part
