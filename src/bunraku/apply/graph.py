"""The order of a run: resources, the beginnings and ends of containers, and what waits for what."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator

from bunraku.providers.base import ManagedResource


class Container:
    """A class, a defined resource or a stage: it holds resources and is not applied itself."""

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


def entry(item: Item) -> Vertex:
    """Return what begins first of an item."""
    return item.begin if isinstance(item, Container) else item


def exit_of(item: Item) -> Vertex:
    """Return what ends last of an item."""
    return item.end if isinstance(item, Container) else item


class Graph:
    """Which vertex comes before which.

    An edge is True if a change of the first refreshes the second. A vertex has a priority: of those
    that wait for nothing, the one with the least is next, which is the order of the catalog.
    """

    def __init__(self) -> None:
        self.after: dict[Vertex, dict[Vertex, bool]] = {}
        self.before: dict[Vertex, dict[Vertex, bool]] = {}
        self.priorities: dict[Vertex, Priority] = {}
        self.children: dict[Vertex, int] = {}
        """How many vertices were generated below a resource."""
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
        """Return the priority of the next vertex that is generated below another one."""
        number = self.children.get(parent, 0)
        self.children[parent] = number + 1
        return (*self.priorities[parent], number)

    def connect(self, first: Vertex, then: Vertex, *, refreshes: bool) -> None:
        """Add an edge, or let an edge that is there refresh as well."""
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
        """Count what each vertex waits for."""
        for vertex in self.after:
            self.recount(vertex)

    def recount(self, vertex: Vertex) -> None:
        """Count again what a vertex waits for; it is ready if that is nothing."""
        waiting = sum(1 for one in self.before[vertex] if one not in self.done)
        self.waiting[vertex] = waiting
        if vertex in self.done:
            return
        if waiting == 0:
            self.enqueue(vertex)
        else:
            self.queued.discard(vertex)

    def enqueue(self, vertex: Vertex) -> None:
        """Let a vertex be the next one, once its priority is the least."""
        if vertex not in self.queued:
            self.queued.add(vertex)
            self.count += 1
            heapq.heappush(self.ready, (self.priorities[vertex], self.count, vertex))

    def next(self) -> Vertex | None:
        """Take the ready vertex of the least priority; None if none is ready."""
        while self.ready:
            vertex = heapq.heappop(self.ready)[2]
            if vertex in self.queued:
                self.queued.discard(vertex)
                return vertex
        return None

    def finish(self, vertex: Vertex) -> None:
        """Note that a vertex is done: what waited only for it is ready."""
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
        """Return the strongly connected parts of more than one vertex, each in the graph's order."""
        return [part for part in strong_parts(self.after) if len(part) > 1]


def strong_parts(after: dict[Vertex, dict[Vertex, bool]]) -> Iterator[list[Vertex]]:
    """Yield the strongly connected parts of a graph (Tarjan's algorithm, without recursion)."""
    numbers: dict[Vertex, int] = {}
    lowest: dict[Vertex, int] = {}
    path: list[Vertex] = []
    on_path: set[Vertex] = set()
    for root, first in after.items():
        if root in numbers:
            continue
        work: list[tuple[Vertex, Iterator[Vertex]]] = [(root, iter(first))]
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
