"""Collectors: ``Type <| query |> { … }``, and ``realize``."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, NoReturn

from bunraku.base.errors import PuppetError, Words
from bunraku.base.records import field, record
from bunraku.runtime import issues
from bunraku.runtime.declare import Attributes, import_resource, own_relationships
from bunraku.runtime.definitions import declared_at
from bunraku.runtime.error_places import place_at
from bunraku.runtime.name_resolution import find_define
from bunraku.runtime.operators import kind_name
from bunraku.runtime.override import Override, merge
from bunraku.runtime.python_frames import Instruction, current_instruction
from bunraku.runtime.state import Compilation, DeclaredResource, Lines, Scope
from bunraku.runtime.suggest import resource_hint, type_hint
from bunraku.types.model import ClassType, ResourceType, Type, TypeAliasType, TypeReferenceType
from bunraku.types.relations.equality import equal
from bunraku.types.relations.infer import infer_generalized
from bunraku.types.text.display import capitalize, display, inner

Value = Any
Test = Callable[[DeclaredResource], bool]


class Resources:
    """The resources by type, and those of a type by tag and title: so that many collectors need not
    each look at all.
    """

    def __init__(self, compilation: Compilation) -> None:
        self.everything = compilation.catalog.resources
        self.seen = 0
        self.types: dict[str, list[DeclaredResource]] = {}
        self.indexes: dict[tuple[str, str], TitleIndex] = {}
        self.tagged = compilation.tagged

    def of_type(self, type_: str) -> list[DeclaredResource]:
        """Return the resources of a type in their order."""
        if self.seen < len(self.everything):
            for resource in self.everything[self.seen :]:
                self.types.setdefault(resource.type, []).append(resource)
            self.seen = len(self.everything)
        return self.types.get(type_, [])

    def with_key(self, type_: str, key: tuple[str, str]) -> list[DeclaredResource]:
        """Return the resources of a type that may have a tag or a title, in their order."""
        kind, text = key
        self.of_type(type_)
        resources = self.types.setdefault(type_, [])  # which grows
        index = self.indexes.get((type_, kind))
        if index is None:
            make = TagIndex if kind == "tag" else TitleIndex
            index = self.indexes[type_, kind] = make(resources)
        if index.count < len(resources):
            index.add_new()
        if index.changes < len(self.tagged):
            index.add_changed(type_, self.tagged)
        return [resources[place] for place in index.places.get(text, ())]


class TitleIndex:
    """The places of resources in a list by their titles in small letters, in order.

    ``count`` is the number of resources, from the first of the list, that are in the index,
    ``changes`` the number of changes of tags that it has taken in.
    """

    def __init__(self, resources: list[DeclaredResource]) -> None:
        self.resources = resources
        self.count = 0
        self.changes = 0
        self.places: defaultdict[str, list[int]] = defaultdict(list)

    def add_new(self) -> None:
        """Add the resources that the list has got since."""
        resources, places = self.resources, self.places
        for place in range(self.count, len(resources)):
            places[resources[place].title.lower()].append(place)
        self.count = len(resources)

    def add_changed(self, _type: str, tagged: list[DeclaredResource]) -> None:
        """Take in the resources whose tags have changed since."""
        self.changes = len(tagged)


class TagIndex(TitleIndex):
    """The same by each tag of theirs, and of their containers.

    Resources only get further tags, which come after those that they have.
    """

    def __init__(self, resources: list[DeclaredResource]) -> None:
        super().__init__(resources)
        self.own: dict[int, tuple[int, int]] = {}
        """Of each resource by its identity its place, and the number of its tags taken in."""
        self.containers: dict[int, tuple[list[int], int]] = {}
        """Of each container the places of its content, and the number of its tags taken in."""

    def add_new(self) -> None:
        """See :class:`TitleIndex`."""
        resources, places = self.resources, self.places
        for place in range(self.count, len(resources)):
            resource = resources[place]
            tags = resource.tags
            self.own[id(resource)] = place, len(tags)
            for name in tags:
                places[name].append(place)
            container = resource.scope.resource
            if container is not None and container is not resource:
                new: tuple[list[int], int] = ([], len(container.tags))
                self.containers.setdefault(id(container), new)[0].append(place)
                for name in container.tags:
                    if name not in tags:
                        places[name].append(place)
        self.count = len(resources)

    def add_changed(self, type_: str, tagged: list[DeclaredResource]) -> None:
        """See :class:`TitleIndex`."""
        for resource in tagged[self.changes :]:
            tags, key = resource.tags, id(resource)
            if resource.type == type_ and key in self.own:
                place, count = self.own[key]
                self.add_tags([place], islice(tags, count, None))
                self.own[key] = place, len(tags)
            if key in self.containers:
                content, count = self.containers[key]
                self.add_tags(content, islice(tags, count, None))
                self.containers[key] = content, len(tags)
        self.changes = len(tagged)

    def add_tags(self, places: list[int], tags: Iterable[str]) -> None:
        """Add tags to those that places have."""
        for name in tags:
            known = self.places[name]
            for place in places:
                at = bisect_left(known, place)
                if at == len(known) or known[at] != place:
                    known.insert(at, place)


def collectors_of(compilation: Compilation) -> list[Collector | Realizer]:
    """Return the collectors of a compile."""
    return compilation.extension(no_collectors)


def no_collectors(_compilation: Compilation) -> list[Collector | Realizer]:
    """Return a list for the collectors of a compile."""
    return []


def resources_of(compilation: Compilation) -> Resources:
    """Return the resources of a compile for its collectors."""
    return compilation.extension(Resources)


def query_key(query: Any) -> tuple[str, str] | None:
    """Return a tag or title without which no resource can match a query."""
    operator, *terms = query
    if operator == "and":
        return next((key for key in map(query_key, terms) if key is not None), None)
    if operator == "==" and terms[0] == "tag":
        return "tag", str(terms[1]).lower()
    if operator == "==" and terms[0] == "title" and terms[1].__class__ is str:
        return "title", terms[1].lower()
    return None


@record(eq=False, slots=False)
class Collector:
    """A query that realizes the resources it matches; it runs until no new resource matches."""

    type: str
    test: Test | None
    exported: bool
    override: Override | None
    query: Any = None
    stored_test: Callable[[Mapping[str, Any]], bool] | None = None
    scope: Scope | None = None
    collected: dict[str, DeclaredResource] = field(default_factory=dict)
    passed_over: list[DeclaredResource] = field(default_factory=list)
    seen: int = 0
    key: tuple[str, str] | None = None
    instruction: Instruction | None = None

    def __str__(self) -> str:
        """Return the text that Puppet shows for a collector as a value."""
        return f"{'Exported' if self.exported else 'Catalog'}-Collector[{self.type}]"

    def evaluate(self, compilation: Compilation) -> bool:
        """Realize and override new matches; return whether there were any."""
        if self.exported and not compilation.settings.get("storeconfigs"):
            return False
        found = self.import_stored(compilation)
        resources = resources_of(compilation)
        if self.key is not None:
            # Resources not collected yet, which may match now.
            for resource in resources.with_key(self.type, self.key):
                if resource.reference not in self.collected and self.wants(resource):
                    found = True
                    self.take(compilation, resource)
            return found
        # Each round looks at new resources, and again at those that have not matched yet.
        known = resources.of_type(self.type)
        new = [item for item in known[self.seen :] if item.reference not in self.collected]
        self.seen = len(known)
        candidates, self.passed_over = [*self.passed_over, *new], []
        for resource in candidates:
            if not self.wants(resource):
                self.passed_over.append(resource)
                continue
            found = True
            self.take(compilation, resource)
        return found

    def wants(self, resource: DeclaredResource) -> bool:
        """Return whether the query is for a resource of its type."""
        if self.exported and not resource.exported:
            return False
        return self.test is None or self.test(resource)

    def take(self, compilation: Compilation, resource: DeclaredResource) -> None:
        """Realize a resource and override its attributes."""
        self.collected[resource.reference] = resource
        resource.virtual = False
        if self.override is not None:
            merge(compilation, resource, self.override)

    def import_stored(self, compilation: Compilation) -> bool:
        """Add the resources that other nodes export, from the stored catalogs."""
        if not self.exported or self.scope is None:
            return False
        found = False
        for stored in compilation.exported(self.type, self.query):
            node = stored["certname"]
            if node == compilation.node_name:
                continue
            if self.stored_test is not None and not self.stored_test(stored):
                continue
            reference = f"{self.type}[{stored['title']}]"
            known = compilation.catalog.at((self.type, stored["title"]))
            if known is not None and known.imported != node:
                error = issues.COLLECTED_TWICE(
                    reference=reference, node=node, place=declared_at(known.file, known.line)
                )
                raise place_at(compilation, error, self.instruction)
            # A resource that another collector has added is not changed by this one.
            if known is None:
                self.take(compilation, import_resource(self.scope, self.type, stored))
                found = True
        return found


@record(eq=False, slots=False)
class Realizer:
    """``realize(references)``: waits for the resources named."""

    wanted: list[tuple[str, str]]
    instruction: Instruction | None = None
    exported: bool = False

    def evaluate(self, compilation: Compilation) -> bool:
        """Realize those that are there by now; whether there were any."""
        found = False
        for key in list(self.wanted):
            resource = compilation.catalog.at(key)
            if resource is not None:
                resource.virtual = False
                self.wanted.remove(key)
                found = True
        return found


def unknown_type(scope: Scope, type_: Value) -> PuppetError:
    """Return the error for a collector of something else than a resource type."""
    if not isinstance(type_, Type):
        return issues.ILLEGAL_RESOURCE_TYPE(
            got=kind_name(type_), type=display(infer_generalized(type_))
        )
    name = type_.text if isinstance(type_, TypeReferenceType) else name_of(type_)
    error = issues.UNKNOWN_COLLECTED_TYPE(name=Words(name, name.lower))
    return error.hinted(type_hint(scope.compilation, name))


def name_of(type_: Type) -> str:
    """Return the name of a type without parameters."""
    return type_.name if isinstance(type_, TypeAliasType) else inner(type_).partition("[")[0]


def collect(
    scope: Scope,
    type_: Value,
    exported: bool,
    query: Any,
    given: Attributes,
    file: str,
    line: int,
    lines: Lines = None,
) -> Collector:
    """``Type <| query |> { attributes }``: a collector, which works when the main code is done."""
    if isinstance(type_, ClassType):
        raise issues.COLLECT_CLASS()
    if not isinstance(type_, ResourceType) or type_.type_name is None or type_.title is not None:
        raise unknown_type(scope, type_)
    if type_.type_name == "node":
        raise issues.UNKNOWN_COLLECTED_TYPE(name="node")
    compilation = scope.compilation
    type_name = type_.type_name
    if compilation.rules.relative_defines and compilation.resource_types[type_name] is None:
        definition = find_define(scope, type_name)
        if definition is None:
            raise issues.UNKNOWN_COLLECTED_TYPE(name=type_name)
        type_name = definition.name
    change = None
    if given:
        change = Override(own_relationships(given), scope, file, line, free=True, lines=lines)
    collector = Collector(
        capitalize(type_name),
        None if query is None else query_test(query),
        exported,
        change,
        query,
        None if query is None else stored_test(query),
        scope,
        key=None if query is None else query_key(query),
        instruction=current_instruction() if exported else None,
    )
    if exported and not compilation.settings.get("storeconfigs"):
        compilation.messages.warn(issues.COLLECT_IGNORED.code, issues.COLLECT_IGNORED.text)
    collectors_of(compilation).append(collector)
    return collector


def stored_test(query: Any) -> Callable[[Mapping[str, Any]], bool]:
    """Return a query as a test of a stored resource: as in PuppetDB, letter case counts."""
    operator, *terms = query
    if operator in ("and", "or"):
        tests = [stored_test(term) for term in terms]
        every = all if operator == "and" else any
        return lambda stored: every(test(stored) for test in tests)
    name, wanted = terms
    if operator == "!=":
        inner = stored_test(["==", name, wanted])
        return lambda stored: not inner(stored)
    if operator != "==":
        raise issues.NON_COLLECTIBLE_TYPE()
    if name == "tag":
        tag = str(wanted).lower()
        return lambda stored: tag in stored["tags"]
    if name == "title":
        return lambda stored: stored["title"] == wanted
    is_boolean = isinstance(wanted, bool)

    def test(stored: Mapping[str, Any]) -> bool:
        value: object = stored["parameters"].get(name)
        return value == wanted and isinstance(value, bool) == is_boolean

    return test


def query_test(query: Any) -> Test:
    """Return a query (nested lists) as a test of a resource."""
    operator, *terms = query
    if operator in ("and", "or"):
        tests = [query_test(term) for term in terms]
        every = all if operator == "and" else any
        return lambda resource: every(test(resource) for test in tests)
    left, right = terms
    if operator == "==":
        return attribute_test(left, right)
    if operator == "!=":
        return difference_test(left, right)
    raise issues.NON_COLLECTIBLE_TYPE()


def attribute_test(name: str, wanted: object) -> Test:
    """Return the test for ``name == value``: on tags, the title, or a parameter; of an array, any element."""
    if name == "tag":
        tag = str(wanted).lower()
        return lambda resource: tag in tags_of(resource)
    if name == "title":
        return lambda resource: equal(resource.title, wanted)

    def test(resource: DeclaredResource) -> bool:
        value: object = resource.parameters.get(name)
        if isinstance(value, list):
            return any(equal(item, wanted) for item in value) or equal(value, wanted)
        return equal(value, wanted)

    return test


def difference_test(name: str, unwanted: object) -> Test:
    """Return the test for ``name != value``, which compares an array as a whole.

    ``tag`` is the attribute here: the tags that a resource has otherwise do not matter.
    """
    if name == "title":
        return lambda resource: not equal(resource.title, unwanted)
    return lambda resource: not equal(resource.parameters.get(name), unwanted)


def tags_of(resource: DeclaredResource) -> dict[str, None]:
    """Return the current tags of a resource, those of its containers included."""
    further = container_tags(resource)
    return {**resource.tags, **further} if further else resource.tags


NO_TAGS: dict[str, None] = {}


def container_tags(resource: DeclaredResource) -> dict[str, None]:
    """Return the tags of the containers of a resource."""
    container = resource.scope.resource
    if container is None or container is resource:
        return NO_TAGS
    found: dict[str, None] = container.tags
    return found


def undef_in_query() -> None:
    """``attribute == undef``: undef is a value like others here."""


def other_query(_operator: str, _attribute: str, _value: Callable[[], Value]) -> NoReturn:
    """Raise the error for a comparison that a query cannot contain; Puppet 3 is less strict."""
    raise issues.NON_COLLECTIBLE_TYPE()


def illegal_query() -> NoReturn:
    """Raise the error for a query of another form than ``==``, ``!=``, ``and``, ``or``."""
    raise issues.NON_COLLECTIBLE_TYPE()


def evaluate_collectors(compilation: Compilation) -> bool:
    """Let every collector look once; whether any found something."""
    results = [collector.evaluate(compilation) for collector in list(collectors_of(compilation))]
    return any(results)


def check_realized(compilation: Compilation) -> None:
    """Reject a ``realize`` of an undeclared resource, at the place of the first such call."""
    waiting = [
        one for one in collectors_of(compilation) if isinstance(one, Realizer) and one.wanted
    ]
    if not waiting:
        return
    missing = [key for realizer in waiting for key in realizer.wanted]
    error = issues.NOT_REALIZED(
        references=", ".join(f"{type_}[{title}]" for type_, title in missing)
    )
    error = error.hinted(resource_hint(compilation, *missing[0]))
    raise place_at(compilation, error, waiting[0].instruction)
