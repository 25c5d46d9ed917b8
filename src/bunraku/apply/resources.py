"""From a catalog to managed resources and the graph of their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bunraku.apply.coverage import ChosenWay, choices_of, refuse_uncovered, target_of
from bunraku.apply.graph import Container, Graph, Item, entry, exit_of
from bunraku.apply.harness import FAILURES, reason_of
from bunraku.apply.issues import UNKNOWN_SCHEDULE
from bunraku.base.errors import PuppetError
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.resource import RELATIONSHIP_PARAMETERS, Resource, texts_in
from bunraku.providers.installed_puppet import installed_type
from bunraku.providers.issues import INVALID_RESOURCE
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.registry import resource_type
from bunraku.providers.resource_type import Reference
from bunraku.providers.run import Run
from bunraku.types.ruby_semantics.values import to_s

MAIN = "Class[Main]"
"""The class of the top scope, as messages show it."""
SCHEDULES: Mapping[str, Mapping[str, Any]] = {
    "puppet": {"period": "hourly", "repeat": 2},
    **{period: {"period": period} for period in ("hourly", "daily", "weekly", "monthly", "never")},
}
"""The schedules that every catalog has."""


class AppliedCatalog:
    """The resources of a catalog with their containers, as a run applies them."""

    def __init__(self, catalog: Catalog, run: Run) -> None:
        self.catalog = catalog
        self.run = run
        self.items: dict[str, Item] = {}
        """Reference → resource or container, in the order of the catalog."""
        self.generated: list[ManagedResource] = []
        """The resources that other resources generated before the run."""
        self.regenerated: list[tuple[str, str]] = []
        """First and then, of resources that generate others which the catalog had already."""
        self.generation_failed = False
        self.containment = list(catalog.edges)
        """Container and resource. A class is in its stage and in each class that contains it."""
        self.container_of: dict[str, str] = {}
        """The first container of each resource, which its path shows."""
        for container, reference in self.containment:
            self.container_of.setdefault(reference, container)
        choices = choices_of(catalog, run, target_of(run))
        self.choices = {one.resource.reference: one for one in choices}
        """Reference → what manages a resource, without containers."""
        self.check_coverage()
        for resource in catalog.resources:
            self.add(resource)

    def check_coverage(self) -> None:
        """Raise PuppetError with all resources that nothing can manage."""
        refuse_uncovered(self.choices.values(), self.run)

    # -- items -----------------------------------------------------------------------------------

    def add(self, resource: Resource) -> None:
        """Add a resource of the catalog."""
        self.items[resource.reference] = self.item_of(resource)

    def item_of(self, resource: Resource) -> Item:
        """Return the container or the managed resource for a resource of the catalog."""
        path = self.path_of(resource.reference)
        choice = self.choices.get(resource.reference)
        if choice is None:
            shown_reference = MAIN if resource.reference == "Class[main]" else resource.reference
            return Container(resource.reference, path, resource.tags, shown_reference)
        return self.managed(choice, path)

    def managed(self, choice: ChosenWay, path: tuple[str, ...]) -> ManagedResource:
        """Return the managed resource for a choice."""
        resource = choice.resource
        native = None if choice.way == "ruby" else resource_type(choice.type, self.run)
        found = native or installed_type(choice.type, self.run)
        made = ManagedResource(
            found,
            resource.title,
            resource.parameters,
            path=path,
            tags=resource.tags,
            file=resource.file,
            line=resource.line,
        )
        self.register(made)
        return made

    def register(self, resource: ManagedResource) -> None:
        """Register a resource under its title and its name."""
        kind = resource.type.name
        if not resource.deferred.isdisjoint(resource.type.names):
            self.run.unnamed.setdefault(kind, []).append(resource)
        self.run.resources[kind, resource.title] = resource
        self.run.resources.setdefault((kind, resource.name), resource)

    def path_of(self, reference: str) -> tuple[str, ...]:
        """Return the names of the containers of a resource, outermost first."""
        found: list[str] = []
        container = self.container_of.get(reference)
        while container is not None and len(found) < len(self.container_of) + 1:
            found.append(shown(container))
            container = self.container_of.get(container)
        return tuple(reversed(found))

    def resources(self) -> Iterator[ManagedResource]:
        """Yield the managed resources in the order of the catalog."""
        for item in self.items.values():
            if isinstance(item, ManagedResource):
                yield item

    def complete(self) -> None:
        """Check the values of all resources; raise PuppetError for the first wrong value or taken name."""
        named: dict[tuple[str, ...], ManagedResource] = {}
        for resource in self.resources():
            resource.complete()
            refuse_taken_name(resource, named)

    def unknown_schedules(self) -> Iterator[PuppetError]:
        """Yield an error for each resource whose schedule is not in the catalog."""
        for resource in self.resources():
            name = resource.schedule
            if name is not None and self.run.find("schedule", name) is None:
                yield UNKNOWN_SCHEDULE(name=resource.hidden(name)).at(resource.place)

    def add_defaults(self) -> None:
        """Add the default schedules and the default filebucket unless the catalog has them."""
        names = [("schedule", name) for name in SCHEDULES] + [("filebucket", "puppet")]
        for kind, title in names:
            found = resource_type(kind, self.run)
            if found is not None and self.run.find(kind, title) is None:
                made = ManagedResource(found, title, SCHEDULES[title] if kind == "schedule" else {})
                self.items[made.reference] = made
                self.register(made)

    # -- generated resources ---------------------------------------------------------------------

    def generate(self) -> None:
        """Add the resources that other resources generate before the run, next to their generators."""
        pending = list(self.resources())
        for resource in pending:
            try:
                generated = resource.type.generate(resource)
            except FAILURES as error:
                self.generation_failed = True
                text = "Failed to generate additional resources using 'generate': "
                resource.log("err", text + reason_of(error))
                continue
            made = [one for one in generated if one.reference not in self.items]
            self.relate_known(resource, (one for one in generated if one not in made))
            if made:
                self.insert(resource, made)
                self.generated += made

    def relate_known(self, parent: ManagedResource, known: Iterable[ManagedResource]) -> None:
        """Put resources that the catalog has already after one that generates them, too."""
        for one in known:
            pair = (parent.reference, one.reference)
            self.regenerated.append(pair[::-1] if parent.type.depth_first else pair)

    def insert(self, parent: ManagedResource, made: list[ManagedResource]) -> None:
        """Add generated resources before or after their generator."""
        for one in made:
            one.complete()
        items: dict[str, Item] = {}
        container = self.container_of.get(parent.reference)
        for reference, item in self.items.items():
            if item is parent and not parent.type.depth_first:
                items[reference] = item
            if item is parent:
                for one in made:
                    items[one.reference] = one
            items[reference] = item
        self.items = items
        for one in made:
            one.tags = tuple(dict.fromkeys((*one.tags, *parent.tags)))
            if container is not None:
                self.containment.append((container, one.reference))
                self.container_of[one.reference] = container
            self.register(one)

    # -- the graph -------------------------------------------------------------------------------

    def graph(self) -> Graph:
        """Return the order in which the resources are applied."""
        edges = self.relationships()
        graph = Graph()
        for number, item in enumerate(self.items.values()):
            graph.add(entry(item), (number,))
            if isinstance(item, Container):
                graph.add(item.end, (number,))
        holders: set[str] = set()
        for container, reference in self.containment:
            held, holder = self.items.get(reference), self.items.get(container)
            if held is None or not isinstance(holder, Container):
                continue
            holders.add(container)
            graph.connect(holder.begin, entry(held), refreshes=True)
            graph.connect(exit_of(held), holder.end, refreshes=True)
        for reference, item in self.items.items():
            if isinstance(item, Container) and reference not in holders:
                graph.connect(item.begin, item.end, refreshes=False)
        for (first, then), refreshes in edges.items():
            graph.connect(exit_of(self.items[first]), entry(self.items[then]), refreshes=refreshes)
        return graph

    def relationships(self) -> dict[tuple[str, str], bool]:
        """Return the order of two items, and whether changes of the first refresh the second."""
        edges: dict[tuple[str, str], bool] = {}
        for resource in self.catalog.resources:
            if resource.reference in self.items:
                self.add_declared(resource.reference, resource.parameters, edges)
        for one in self.generated:
            self.add_declared(one.reference, one.original, edges)
        for first, then in self.regenerated:
            add_unless_related(edges, first, then)
        for managed in self.resources():
            self.add_automatic(managed, edges)
        return edges

    def add_declared(
        self,
        reference: str,
        parameters: Mapping[str, Any],
        edges: dict[tuple[str, str], bool],
    ) -> None:
        """Add the relationships that the parameters of a resource declare."""
        for parameter in RELATIONSHIP_PARAMETERS:
            for name in texts_in(parameters.get(parameter)):
                other = self.reference_of(name)
                if other is None:
                    continue
                pair = (reference, other)
                if parameter in {"require", "subscribe"}:
                    pair = (other, reference)
                refreshes = parameter in {"notify", "subscribe"}
                edges[pair] = edges.get(pair, False) or refreshes

    def add_automatic(self, resource: ManagedResource, edges: dict[tuple[str, str], bool]) -> None:
        """Add the relationships that the type implies, unless they contradict a declared one."""
        mine, type_ = resource.reference, resource.type
        for other in self.others(resource, type_.requires(resource)):
            add_unless_related(edges, other, mine)
        for other in self.others(resource, type_.subscribes(resource)):
            add_unless_related(edges, other, mine, refreshes=True)
        for other in self.others(resource, type_.precedes(resource)):
            add_unless_related(edges, mine, other)
        for other in self.others(resource, type_.notifies(resource)):
            add_unless_related(edges, mine, other, refreshes=True)

    def others(self, resource: ManagedResource, names: Iterable[Reference]) -> Iterator[str]:
        """Yield the references of other resources of the catalog, from types and titles."""
        for kind, title in names:
            other = self.run.find(kind, title)
            if other is not None and other is not resource:
                yield other.reference

    def reference_of(self, name: str) -> str | None:
        """Return the reference of the item with a title or name."""
        if name in self.items:
            return name
        kind, _, rest = name.partition("[")
        found = self.run.find(kind.lower(), rest.removesuffix("]"))
        return None if found is None else found.reference


def add_unless_related(
    edges: dict[tuple[str, str], bool], first: str, then: str, *, refreshes: bool = False
) -> None:
    """Add an edge between two items unless an edge exists in either direction."""
    if (first, then) not in edges and (then, first) not in edges:
        edges[first, then] = refreshes


def shown(container: str) -> str:
    """Return a container as paths show it: only the name of a class.

    >>> shown("Class[Apache::Mod]"), shown("Class[main]"), shown("Stage[main]")
    ('Apache::Mod', 'Main', 'Stage[main]')
    """
    if container.startswith("Class["):
        name = container[6:-1]
        return "Main" if name == "main" else name
    return container


def refuse_taken_name(
    resource: ManagedResource, named: dict[tuple[str, ...], ManagedResource]
) -> None:
    """Raise PuppetError if the attributes that name a resource together are those of an earlier one.

    The compiler cannot know it: defaults of the type are among the values.
    """
    names = resource.type.named_by
    if not names or not resource.deferred.isdisjoint(names):
        return
    values = [to_s(resource[name]) for name in names]
    values[names.index("name")] = resource.type.canonical_name(to_s(resource["name"]))
    known = named.setdefault((resource.type.name, *values), resource)
    if known is resource:
        return
    shared = " and ".join(f"{name} '{value}'" for name, value in zip(names, values, strict=True))
    reason = f"{known.reference} has the same name: {shared}"
    raise INVALID_RESOURCE(resource=resource.reference, reason=reason).at(resource.place)
