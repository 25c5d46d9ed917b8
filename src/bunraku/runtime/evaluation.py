"""The course of a compile: main code, node, classes, then collectors and defines until all is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.source import NOWHERE, Place
from bunraku.base.suggestions import did_you_mean
from bunraku.catalog.compiled import CompiledCatalog, CompiledResource, Unfiltered
from bunraku.catalog.schema.titles import catalog_parameters
from bunraku.runtime import issues
from bunraku.runtime.binary_texts import write_binary_texts
from bunraku.runtime.collect import check_realized, evaluate_collectors
from bunraku.runtime.cycles import check_cycles
from bunraku.runtime.declare import (
    add_defaults,
    add_edge,
    add_resource,
    class_definition,
    enter_declared_class,
    evaluate_class,
    evaluate_define,
    included_resource,
)
from bunraku.runtime.definitions import Body, Definition
from bunraku.runtime.error_places import place_attribute
from bunraku.runtime.name_resolution import node_above
from bunraku.runtime.operators import captured
from bunraku.runtime.override import apply_overrides, check_overrides
from bunraku.runtime.references import flat, is_reference
from bunraku.runtime.relate import (
    RELATIONSHIP_NAMES,
    check_targets,
    evaluate_relationships,
)
from bunraku.runtime.ruby_objects import report_ruby_objects
from bunraku.runtime.rules import same_value
from bunraku.runtime.state import Compilation, DeclaredResource, Scope, UnfinishedCatalog
from bunraku.runtime.suggest import attribute_hint
from bunraku.runtime.tags import add_tags, inherit_tags, is_tag, own_tags, tags_of
from bunraku.types.model import ClassType, ResourceType
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.sensitive import Sensitive

Value = Any
MOST_ROUNDS = 1000


def run(
    compilation: Compilation,
    main: Sequence[Body],
    variables: Mapping[str, Value],
    node_classes: Mapping[str, Mapping[str, Value]],
    *,
    cycles: bool = True,
) -> CompiledCatalog:
    """Compile a node's catalog from its main code and classes."""
    top = compilation.top_scope
    for name, value in {**variables, "title": "main", "name": "main", "module_name": ""}.items():
        top.set(name, value)
    stage = DeclaredResource("Stage", "main", Scope(compilation, None))
    stage.tags["stage"] = None
    stage.parameters["name"] = "main"
    main_class = DeclaredResource("Class", "main", scope=top, kind="unknown")
    main_class.tags["class"] = None
    main_class.parameters["name"] = "main"
    main_class.evaluated = True
    settings = DeclaredResource("Class", "Settings", scope=top, kind="unknown")
    own_tags(settings)
    settings.evaluated = True
    top.resource = main_class
    check_class_names(compilation, node_classes)
    compilation.catalog.classes += ["settings", *node_classes]
    compilation.node_classes = node_classes
    for resource in (stage, settings, main_class):
        compilation.catalog.index[resource.type, resource.title] = resource
        compilation.catalog.resources.append(resource)
    add_edge(compilation, stage, settings)
    add_edge(compilation, stage, main_class)
    for body in main:
        body(top)
    evaluate_node(compilation)
    evaluate_node_classes(compilation, node_classes)
    evaluate_generators(compilation)
    finish(compilation)
    if compilation.rules.targets_exist:
        check_targets(compilation)
    if cycles:
        check_cycles(compilation)
    return compiled_catalog(compilation)


# -- nodes -----------------------------------------------------------------------------------------


def evaluate_node(compilation: Compilation) -> None:
    """Run the node definition that is for this node, if there are any."""
    if not compilation.definitions.nodes:
        return
    names = node_names(compilation)
    found = find_node(compilation, names)
    if found is None:
        raise no_node(compilation, names)
    definition, name, captures = found
    run_node(compilation, definition, name, captures)


def no_node(compilation: Compilation, names: Sequence[str]) -> PuppetError:
    """Return the error for a node that no definition matches, in the file of the first one."""
    known = [
        text
        for item in compilation.definitions.nodes
        for kind, text in item.matches
        if kind == "name"
    ]
    error = issues.NO_NODE(names=", ".join(names)).hinted(
        did_you_mean(names[0], known) or "add a node definition for it, or node default { }"
    )
    return error.at(Place(compilation.definitions.nodes[0].file or None)).having(reported=NOWHERE)


def run_node(
    compilation: Compilation,
    definition: Definition,
    name: str,
    captures: tuple[str | None, ...] | None,
) -> None:
    """Run a node definition; in Puppet 3 those that it inherits from stand before it, and run first."""
    line = [(definition, name)]
    while line[0][0].parent is not None:
        parent = parent_node(compilation, line[0][0])
        line.insert(0, (parent, line[0][0].parent or ""))
    scope = compilation.top_scope
    entered = []
    for item, title in line:
        scope = enter_node(compilation, item, title, scope)
        entered.append((scope, item))
    if compilation.rules.node_captures:
        scope.captures = captures
    for inner, item in entered:
        compilation.node_scope = inner
        item.body(inner)


def enter_node(compilation: Compilation, definition: Definition, name: str, outer: Scope) -> Scope:
    """Put a node into the catalog; the scope that its code will run in."""
    top = compilation.top_scope
    resource = DeclaredResource("Node", name, scope=top, definition=definition, kind="unknown")
    own_tags(resource)
    resource.evaluated = True
    add_resource(compilation, top, resource)
    inherit_tags(resource)
    scope = Scope(compilation, outer, outer, resource, definition)
    scope.set("caller_module_name", "")
    compilation.class_scopes[name] = scope
    compilation.catalog.classes.append(name)
    if compilation.rules.classes_merge:
        # A node is a class of its own there.
        add_tags(resource, [name] if name else [])
        scope.set("title", name)
        scope.set("name", name)
    return scope


def parent_node(compilation: Compilation, definition: Definition) -> Definition:
    """The node definition that one inherits from, which must be there and not go back to itself."""
    seen = [definition]
    found = node_above(compilation, definition)
    above: Definition | None = found
    while above is not None and above.parent is not None:
        if above in seen:
            error = issues.INHERITANCE_CYCLE(
                name=definition.name, path=" -> ".join(item.name for item in seen)
            )
            raise error.at(Place.of(definition))
        seen.append(above)
        above = node_above(compilation, above)
    if found is None:
        error = issues.PARENT_NOT_FOUND(parent=definition.parent, name=definition.name)
        raise error.at(Place.of(definition))
    return found


def node_names(compilation: Compilation) -> list[str]:
    """The names by which node definitions are looked for."""
    return list(compilation.rules.node_names(compilation))


def find_node(
    compilation: Compilation, names: Sequence[str]
) -> tuple[Definition, str, tuple[str | None, ...] | None] | None:
    """Return the definition for a node, its name in the catalog, and what its pattern captured.

    An exact name comes before a pattern. The last of the names is ``default``, which a pattern can
    match too.
    """
    matches = [
        (item, kind, text) for item in compilation.definitions.nodes for kind, text in item.matches
    ]
    named = compilation.rules.node_name
    for name in (*names, "default"):
        for definition, kind, text in matches:
            if kind != "regexp" and named(kind, text) == name:
                return definition, name, None
        for definition, kind, text in matches:
            found = Regexp(text).search(name) if kind == "regexp" else None
            if found is not None:
                return definition, named(kind, text), captured(found)
    return None


def check_class_names(compilation: Compilation, names: Iterable[str]) -> None:
    """Refuse a classifier's names that are not tags, as Puppet does before it compiles."""
    for name in names:
        text = name.removeprefix("::").lower()
        if not is_tag(text, compilation.rules.ascii_tags):
            raise issues.INVALID_TAG(tag=text)


def evaluate_node_classes(
    compilation: Compilation, classes: Mapping[str, Mapping[str, Value]]
) -> None:
    """The classes that a node classifier names; those with parameters first.

    All are in the catalog before any is run.
    """
    scope = compilation.node_scope or compilation.top_scope
    entered = [
        enter_declared_class(scope, name, dict(parameters), "", 0)
        for name, parameters in classes.items()
        if parameters
    ]
    plain = [name for name, parameters in classes.items() if not parameters]
    definitions = [class_definition(scope, name) for name in plain]
    entered += [included_resource(scope, definition) for definition in definitions]
    for resource in entered:
        evaluate_class(compilation, resource)


# -- generators ------------------------------------------------------------------------------------


def evaluate_generators(compilation: Compilation) -> None:
    """Collectors, then defined types, again and again until neither does anything."""
    for _ in range(MOST_ROUNDS):
        found = evaluate_collectors(compilation)
        if evaluate_defines(compilation):
            found = True
        if not found:
            return
    raise issues.GENERATION_LIMIT()


def evaluate_defines(compilation: Compilation) -> bool:
    """Run the defined types that wait and are real by now; whether there were any."""
    ready = [resource for resource in compilation.catalog.pending if not resource.virtual]
    if not ready:
        return False
    compilation.catalog.pending = [
        resource for resource in compilation.catalog.pending if resource.virtual
    ]
    for resource in ready:
        evaluate_define(compilation, resource)
    return True


# -- the end ---------------------------------------------------------------------------------------


def finish(compilation: Compilation) -> None:
    """What can only be done when all is declared: arrows, overrides, tags, checks of names."""
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
    """The names of classes and their parts, then the tags given to classes and nodes, and their kinds.

    The class of all that is in no class, and that of the settings, do not count.
    """
    found = {tag: None for name in catalog.classes for tag in (name, *name.split("::"))}
    for resource in catalog.resources:
        if resource.type in {"Class", "Node"} and resource.definition is not None:
            given = flat(resource.parameters.get("tag"))
            found.update(dict.fromkeys([*tags_of(given), resource.type.lower()]))
    return list(found)


class Containment:
    """What a catalog's resources contain, found out when it is first needed."""

    def __init__(self, catalog: UnfinishedCatalog) -> None:
        self.catalog = catalog
        self.resources = {item.reference: item for item in catalog.resources}

    @cached_property
    def members(self) -> Mapping[str, list[str]]:
        """References of containers → those of what they contain directly."""
        found: dict[str, list[str]] = {}
        for container, member in self.catalog.edges:
            if container in found:
                found[container].append(member)
            else:
                found[container] = [member]
        return found


def pass_on_tags(containment: Containment) -> None:
    """Give what the main class contains, directly or indirectly, the tags of its containers.

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
    """What the main class contains, directly or in defined types, inherits metaparameters."""
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
                    add_tags(resource, flat(value))
        if not PASSED_ON.isdisjoint(parameters):
            own = {key: parameters[key] for key in PASSED_ON_ORDER if key in parameters}
            given = {key: value for key, value in {**given, **own}.items() if value is not None}
        inside = members.get(name, ())
        # What contains nothing has one container only: without anything to pass on there is no need.
        waiting.extend((member, given) for member in inside if given or member in containers)


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


def is_untitled(value: Value) -> bool:
    """Whether a value is a resource type without a title, which no catalog can hold."""
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
    error = error.hinted(attribute_hint(resource, name)).having(reported=Place.of(resource))
    return place_attribute(compilation, error, resource, name)


def compiled_catalog(compilation: Compilation) -> CompiledCatalog:
    """Return the catalog without what stayed virtual, and without undef values."""
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
    """Return a resource as the result of a compile has it."""
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
    """The parameters as a catalog has them: small names, no undef, no namevar that is the title;
    an array with references in it lies flat.
    """
    given = resource.parameters
    if resource.schema is not None and resource.title_value.__class__ is str:
        given = catalog_parameters(resource.schema, resource.title, given, resource.title_gives)
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
        if value is None:
            continue
        if value.__class__ is list:
            members = flat(value)
            if any(map(is_reference, members)):
                value = members
        found[name if name.islower() else name.lower()] = catalog_value(name, value)
    return found
