"""The end of a compile: arrows, overrides, tags, checks, and the resulting catalog."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.source import Place
from bunraku.catalog.compiled import CompiledCatalog, CompiledResource, Unfiltered
from bunraku.catalog.schema.titles import catalog_parameters
from bunraku.runtime import issues
from bunraku.runtime.binary_texts import write_binary_texts
from bunraku.runtime.collect import check_realized
from bunraku.runtime.declare import add_defaults
from bunraku.runtime.error_places import place_attribute
from bunraku.runtime.override import apply_overrides, check_overrides
from bunraku.runtime.references import flat, is_reference
from bunraku.runtime.relate import RELATIONSHIP_NAMES, evaluate_relationships
from bunraku.runtime.ruby_objects import report_ruby_objects
from bunraku.runtime.rules import same_value
from bunraku.runtime.state import Compilation, DeclaredResource, UnfinishedCatalog
from bunraku.runtime.suggest import attribute_hint
from bunraku.runtime.tags import add_further_tags, inherit_tags, tag_list, tags_of
from bunraku.types.model import ClassType, ResourceType
from bunraku.values.iterator import Iterator
from bunraku.values.sensitive import Sensitive

Value = Any


def finish(compilation: Compilation) -> None:
    """Finish a catalog when all is declared: arrows, overrides, tags, checks of names."""
    evaluate_relationships(compilation)
    apply_overrides(compilation)
    if compilation.rules.late_defaults:
        for resource in compilation.catalog.resources:
            if resource.schema is not None:
                add_defaults(resource)
    compilation.catalog.tags = catalog_tags(compilation.catalog)
    for resource in compilation.catalog.resources:
        finish_resource(compilation, resource)
    check_overrides(compilation)
    check_realized(compilation)
    containment = Containment(compilation.catalog)
    if compilation.late_tags:
        pass_on_tags(containment)
    pass_on_metaparameters(containment)


def catalog_tags(catalog: UnfinishedCatalog) -> list[str]:
    """Return class names and their parts, then the tags and kinds of classes and nodes.

    The class of all that is in no class, and that of the settings, do not count.
    """
    found = {tag: None for name in catalog.classes for tag in (name, *name.split("::"))}
    for resource in catalog.resources:
        if resource.type in {"Class", "Node"} and resource.definition is not None:
            given = tag_list(resource.parameters.get("tag"))
            found.update(dict.fromkeys([*tags_of(given), resource.type.lower()]))
    return list(found)


class Containment:
    """The resources that each container of a catalog contains, computed when first needed."""

    def __init__(self, catalog: UnfinishedCatalog) -> None:
        self.catalog = catalog
        self.resources = {item.reference: item for item in catalog.resources}

    @cached_property
    def members(self) -> Mapping[str, list[str]]:
        """References of containers → references of their direct content."""
        found: dict[str, list[str]] = {}
        for container, member in self.catalog.edges:
            if container in found:
                found[container].append(member)
            else:
                found[container] = [member]
        return found


def pass_on_tags(containment: Containment) -> None:
    """Add the tags of their containers to the resources that the main class contains.

    A container may have got tags since, or a class may have several containers.
    """
    resources, members = containment.resources, containment.members
    waiting = ["Class[main]"]
    seen = set()
    for name in waiting:
        if name in seen or name not in members:
            continue
        seen.add(name)
        tags = resources[name].tags
        for member in members[name]:
            resources[member].tags.update(tags)
            if member in members:
                waiting.append(member)


PASSED_ON_ORDER = ("noop", "schedule", "audit", "loglevel", "tag")
PASSED_ON = frozenset(PASSED_ON_ORDER)


def pass_on_metaparameters(containment: Containment) -> None:
    """Pass metaparameters to resources in the main class, directly or in defined types."""
    resources = containment.resources
    containers = {name: item for name, item in resources.items() if item.schema is None}
    if all(PASSED_ON.isdisjoint(item.parameters) for item in containers.values()):
        return
    members = containment.members
    waiting: list[tuple[str, dict[str, Value]]] = [("Class[main]", {})]
    seen = set()
    while waiting:
        name, given = waiting.pop()
        if name in seen or name not in resources:
            continue
        seen.add(name)
        resource = resources[name]
        parameters = resource.parameters
        for key, value in given.items():
            if parameters.get(key) is None:
                parameters[key] = value
                if key == "tag":
                    add_further_tags(resource, tag_list(value))
        if not PASSED_ON.isdisjoint(parameters):
            own = {key: parameters[key] for key in PASSED_ON_ORDER if key in parameters}
            given = {key: value for key, value in {**given, **own}.items() if value is not None}
        inside = members.get(name, ())
        # A resource without contents has one container only: without metaparameters, skip it.
        waiting.extend((member, given) for member in inside if given or member in containers)


MAIN = frozenset({"Class[main]", "Stage[main]"})
"""Resources whose titles are no strings in Puppet: their names stay."""
SCALARS = frozenset({str, bool, int, float, type(None)})
ORDINARY = SCALARS | {list, dict}
"""Classes of values that need no look when all is declared."""


def finish_resource(compilation: Compilation, resource: DeclaredResource) -> None:
    """Settle tags and secrets, and refuse parameters that the type does not have."""
    if not resource.evaluated:  # classes and defined types have theirs since they were evaluated
        inherit_tags(resource)
    parameters = resource.parameters
    for name, value in parameters.items():
        if value.__class__ in ORDINARY:
            continue
        if value.__class__ is Sensitive:
            value = parameters[name] = value.value
            resource.sensitive += (name,)
        if value.__class__ is Iterator:
            raise iterator_value(compilation, resource, name)
        if (
            compilation.rules.targets_exist
            and name not in RELATIONSHIP_NAMES
            and is_untitled(value)
        ):
            error = issues.UNTITLED_REFERENCE(name=name, reference=resource.reference)
            raise place_attribute(compilation, error, resource, name)
    schema = resource.schema
    if schema is None or schema.attributes.issuperset(parameters):
        return
    for name in parameters:
        if not schema.has_attribute(name):
            raise unknown_parameter(compilation, resource, name)


def iterator_value(compilation: Compilation, resource: DeclaredResource, name: str) -> PuppetError:
    """Return the error for an Iterator as a parameter: at the attribute, or at the definition."""
    error = issues.ITERATOR_VALUE()
    if resource.definition is not None and resource.line is None:  # a default of an included class
        return error.at(Place.of(resource.definition))
    return place_attribute(compilation, error, resource, name)


def is_untitled(value: Value) -> bool:
    """Return whether a value is a resource type without a title, which no catalog can hold."""
    if value.__class__ is ResourceType:
        return not value.title
    return value.__class__ is ClassType and value.name is None


def unknown_parameter(
    compilation: Compilation, resource: DeclaredResource, name: str
) -> PuppetError:
    """Return the error for a parameter that the type does not have, at the parameter's line.

    Puppet reports the line of the resource.
    """
    error = issues.UNKNOWN_PARAMETER(name=name, reference=resource.reference)
    error = error.hinted(attribute_hint(resource, name)).having_in_puppet(place=Place.of(resource))
    return place_attribute(compilation, error, resource, name)


def compiled_catalog(compilation: Compilation) -> CompiledCatalog:
    """Return the catalog without virtual resources and undef values."""
    catalog = compilation.catalog
    order = {item.reference: at for at, item in enumerate(catalog.resources)}
    catalog.edges.sort(key=lambda edge: order[edge[1]])
    for resource in catalog.resources:
        resource.parameters = final_parameters(resource, compilation.rules.catalog_value)
    write_binary_texts(compilation)
    report_ruby_objects(compilation)
    everything = [
        (compiled_resource(item), item.virtual)
        for item in catalog.resources
        if item.exported or not item.virtual
    ]
    resources = [item for item, virtual in everything if not virtual]
    exported = [item for item, virtual in everything if virtual]
    found = CompiledCatalog(
        compilation.node_name,
        getattr(compilation.environment, "name", "production"),
        catalog.version,
        resources,
        catalog.edges,
        catalog.classes,
        catalog.tags,
        exported,
    )
    if len(resources) < len(catalog.resources):
        found.edges = edges_among(resources, catalog.edges)
    if exported:
        stored = [item for item, _ in everything]
        found.unfiltered = Unfiltered(stored, edges_among(stored, catalog.edges))
    return found


def compiled_resource(resource: DeclaredResource) -> CompiledResource:
    """Return a resource in the form of the result."""
    return CompiledResource(
        resource.type,
        resource.title,
        resource.title_data,
        tuple(resource.tags),
        resource.file,
        resource.line,
        resource.exported,
        resource.kind,
        resource.parameters,
        resource.sensitive,
    )


def edges_among(
    resources: Sequence[CompiledResource], edges: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Return the edges that have both ends among some resources."""
    known = {item.reference for item in resources}
    return [edge for edge in edges if edge[0] in known and edge[1] in known]


def final_parameters(
    resource: DeclaredResource, catalog_value: Callable[[str, Value], Value]
) -> dict[str, Value]:
    """Return the parameters for a catalog: names in lower case, without undef and without a namevar
    that equals the title; arrays that contain references are flattened.

    A group of the title without text is undef in the catalog, too.
    """
    given = resource.parameters
    schema = resource.schema
    is_named = schema is not None or ("name" in given and resource.reference not in MAIN)
    if is_named and resource.title_value.__class__ is str:
        given = catalog_parameters(schema, resource.title, given, resource.title_gives)
    if catalog_value is same_value:
        for name, value in given.items():
            if value is None or not name.islower():
                break
            if value.__class__ is list and not SCALARS.issuperset(map(type, value)):
                break
        else:
            return given
    found = {}
    for name, value in given.items():
        if value is None and given is resource.parameters:
            continue
        if value.__class__ is list:
            members = flat(value)
            if any(map(is_reference, members)):
                value = members
        found[name if name.islower() else name.lower()] = catalog_value(name, value)
    return found
