"""The order of the resources of a catalog: which must come before which, and by which relationships.

As in rspec-puppet, a relationship may lead through any number of resources, and through the classes
and defined types that contain them; those that resource types add by themselves count, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from bunraku.apply.validate import CheckedCatalog, run_without_machine
from bunraku.base.records import record
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.resource import Resource
from bunraku.providers.managed_resource import ManagedResource
from bunraku.runtime.cycles import Point, dependency_graph, find_cycle

REFRESHING = frozenset({"notify", "subscribe"})
VERBS = {
    "requires": "then",
    "subscribes to": "then",
    "comes before": "first",
    "notifies": "first",
}
"""What a matcher says of a resource, and its side in such a relationship."""
PLAIN_VERBS = {"subscribes to": "requires", "notifies": "comes before"}
"""What is said of relationships that may not pass on changes."""
REFRESHING_VERBS = frozenset(PLAIN_VERBS)


@record(frozen=True)
class Link:
    """``first`` comes before ``then``; ``kind`` is the parameter that states it, or ``automatic``."""

    first: str
    then: str
    kind: str


class Order:
    """The order of the resources of a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.edges = list(catalog.edges)
        self.containers = {container for container, _ in self.edges}

    @cached_property
    def links(self) -> list[Link]:
        """The relationships that parameters state."""
        found = self.catalog.relationships
        return [Link(one.first.reference, one.then.reference, one.kind) for one in found]

    @cached_property
    def automatic(self) -> list[Link]:
        """The relationships that types add, unless the opposite is stated."""
        stated = {(one.first, one.then) for one in self.links}
        found = list(automatic_links(self.catalog))
        return [one for one in found if (one.then, one.first) not in stated]

    @cached_property
    def graph(self) -> dict[Point, list[Point]]:
        """The points of the order and those that follow each."""
        return self.graph_of([*self.links, *self.automatic])

    @cached_property
    def refreshes(self) -> dict[Point, list[Point]]:
        """The same for relationships that pass on changes."""
        return self.graph_of([one for one in self.links if one.kind in REFRESHING])

    def graph_of(self, links: Iterable[Link]) -> dict[Point, list[Point]]:
        """Return the graph of some relationships and of containment."""
        return dependency_graph(self.edges, [(one.first, one.then) for one in links])

    def path(self, first: str, then: str, *, refreshes: bool = False) -> list[str] | None:
        """Return the resources by which one comes before another, both included; None if it does not."""
        graph = self.refreshes if refreshes else self.graph
        start: Point = ("end" if first in self.containers else "start", first)
        goal: Point = ("start", then)
        before: dict[Point, Point | None] = {start: None}
        waiting = [start]
        for point in waiting:
            if point == goal and point != start:
                return names_on(before, goal)
            for following in graph.get(point, ()):
                if following not in before:
                    before[following] = point
                    waiting.append(following)
        return None

    def cycle(self) -> list[str] | None:
        """Return the resources of a dependency cycle, the first one again at the end; None without one."""
        found = find_cycle(self.graph)
        if found is None:
            return None
        names = list(dict.fromkeys(name for _, name in found))
        return [*names, names[0]]

    # -- explanations ----------------------------------------------------------------------------

    def holds(self, resource: Resource, verb: str, other: Resource) -> bool:
        """Return whether a resource ``requires`` (or another verb) another one."""
        first, then = sides(resource, verb, other)
        return self.path(first, then, refreshes=verb in REFRESHING_VERBS) is not None

    def explanation(self, resource: Resource, verb: str, other: Resource) -> str:
        """Return why a relationship does not hold: the opposite one, or those that there are."""
        first, then = sides(resource, verb, other)
        lines = []
        opposite = self.path(then, first)
        if opposite is not None:
            lines.append(f"  the order is the opposite: {' -> '.join(opposite)}")
        elif verb in REFRESHING_VERBS and (plain := self.path(first, then)) is not None:
            lines.append(f"  the order is right, but no change is passed on: {' -> '.join(plain)}")
        lines += self.existing(resource, verb)
        return "\n".join(lines)

    def existing(self, resource: Resource, verb: str) -> Iterator[str]:
        """Yield the relationships on the same side of a resource and of its containers."""
        names = [resource.reference, *self.containers_of(resource.reference)]
        side = VERBS[verb]
        found = [
            (name, one)
            for name in names
            for one in (*self.links, *self.automatic)
            if getattr(one, side) == name
        ]
        if not found:
            plain = PLAIN_VERBS.get(verb, verb)
            yield f"  neither {resource} nor what contains it {plain} anything"
            return
        yield f"  {resource} {PLAIN_VERBS.get(verb, verb)}:"
        for name, one in found:
            other = one.first if side == "then" else one.then
            through = "" if name == resource.reference else f", through {name}"
            yield f"    {other} ({one.kind}{through})"

    def containers_of(self, reference: str) -> list[str]:
        """Return the containers of a resource, the innermost first, without the stage and ``main``."""
        found: list[str] = []
        container = self.catalog.container_of(reference)
        while container is not None and container.type != "Stage" and container.title != "main":
            found.append(container.reference)
            container = self.catalog.container_of(container)
        return found


def sides(resource: Resource, verb: str, other: Resource) -> tuple[str, str]:
    """Return the earlier and the later reference of a relationship."""
    if VERBS[verb] == "then":
        return other.reference, resource.reference
    return resource.reference, other.reference


def names_on(before: dict[Point, Point | None], goal: Point) -> list[str]:
    """Return the names on the way to a point, each once."""
    found: list[str] = []
    point: Point | None = goal
    while point is not None:
        found.append(point[1])
        point = before[point]
    return list(dict.fromkeys(reversed(found)))


def automatic_links(catalog: Catalog) -> Iterator[Link]:
    """Yield the relationships that resource types add, of types that bunraku can apply."""
    checked = CheckedCatalog(catalog, run_without_machine())
    resources = list(checked.resources())
    usable = [one for one in resources if not list(one.problems())]
    for one in usable:
        for other in others(checked, one, one.type.requires(one)):
            yield Link(other.reference, one.reference, "automatic")
        for other in others(checked, one, one.type.precedes(one)):
            yield Link(one.reference, other.reference, "automatic")


def others(
    checked: CheckedCatalog, own: ManagedResource, found: Iterable[tuple[str, str]]
) -> Iterator[ManagedResource]:
    """Yield the resources of the catalog that a type names."""
    for kind, title in found:
        other = checked.run.find(kind, title)
        if other is not None and other is not own:
            yield other
