"""The course of a compile: main code, node, classes, then collectors and defines until all is done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.source import NOWHERE, Place
from bunraku.base.suggestions import did_you_mean
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.runtime import issues
from bunraku.runtime.collect import evaluate_collectors
from bunraku.runtime.cycles import check_cycles
from bunraku.runtime.declare import (
    add_edge,
    add_resource,
    class_definition,
    enter_declared_class,
    evaluate_class,
    evaluate_define,
    included_resource,
)
from bunraku.runtime.definitions import Body, Definition
from bunraku.runtime.error_places import blame
from bunraku.runtime.finish import compiled_catalog, finish
from bunraku.runtime.name_resolution import node_above
from bunraku.runtime.operators import captured
from bunraku.runtime.relate import (
    check_targets,
)
from bunraku.runtime.state import Compilation, DeclaredResource, Scope
from bunraku.runtime.tags import add_tags, inherit_tags, is_tag, own_tags
from bunraku.values.regexp.regexp import Regexp

Value = Any


def run(
    compilation: Compilation,
    main: Sequence[Body],
    variables: Mapping[str, Value],
    node_classes: Mapping[str, Mapping[str, Value]],
    *,
    cycles: bool | None = None,
) -> CompiledCatalog:
    """Compile a node's catalog from its main code and classes.

    Dependency cycles are errors (``cycles``), not checked (False) or warnings (None).
    """
    top = compilation.top_scope
    for name, value in {**variables, "module_name": "", "title": "main", "name": "main"}.items():
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
    compilation.definitions.check_settings()
    compilation.catalog.classes += [*node_classes, "settings"]
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
    if cycles is not False:
        check_cycles(compilation, are_errors=bool(cycles))
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
    return error.at(Place(compilation.definitions.nodes[0].file or None)).having_in_puppet(
        place=NOWHERE
    )


def run_node(
    compilation: Compilation,
    definition: Definition,
    name: str,
    captures: tuple[str | None, ...] | None,
) -> None:
    """Run a node definition; in Puppet 3 those that it inherits from run first."""
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
    scope.captures = None


def enter_node(compilation: Compilation, definition: Definition, name: str, outer: Scope) -> Scope:
    """Put a node into the catalog; the scope that its code will run in."""
    top = compilation.top_scope
    resource = DeclaredResource("Node", name, scope=top, definition=definition, kind="unknown")
    own_tags(resource)
    resource.evaluated = True
    add_resource(compilation, top, resource)
    inherit_tags(resource)
    scope = Scope(compilation, outer, outer, resource, definition)
    variables = {"module_name": scope.module_name, "caller_module_name": ""}
    for variable, value in {**variables, "title": name, "name": name}.items():
        scope.set(variable, value)
    compilation.catalog.classes.append(name)
    if compilation.rules.classes_merge:
        # A node is a class there.
        compilation.class_scopes[name] = scope
        add_tags(resource, [name] if name else [])
    return scope


def parent_node(compilation: Compilation, definition: Definition) -> Definition:
    """Return the parent of a node definition, which must exist and not inherit from itself."""
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
        error = issues.PARENT_NOT_FOUND(
            parent=definition.parent,
            name=definition.name,
            environment=compilation.environment.name,
        )
        raise error.at(Place.of(definition))
    return found


def node_names(compilation: Compilation) -> list[str]:
    """Return the names under which node definitions are looked up."""
    return list(compilation.rules.node_names(compilation))


def find_node(
    compilation: Compilation, names: Sequence[str]
) -> tuple[Definition, str, tuple[str | None, ...] | None] | None:
    """Return the definition for a node, its name in the catalog, and the captures of its pattern.

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
        text = name.lower()
        if not is_tag(text, compilation.rules.ascii_tags):
            raise issues.INVALID_TAG(tag=text)


def evaluate_node_classes(
    compilation: Compilation, classes: Mapping[str, Mapping[str, Value]]
) -> None:
    """Declare the classes that a node classifier names; those with parameters first.

    They run with the defined types that wait, as in Puppet's ``evaluate_node_classes``.
    """
    scope = compilation.node_scope or compilation.top_scope
    for name in classes:
        class_definition(scope, name, issues.UNKNOWN_NODE_CLASS)
    entered = [
        enter_declared_class(scope, name, dict(parameters), "", None, kind="unknown")
        for name, parameters in classes.items()
        if parameters
    ]
    plain = [name for name, parameters in classes.items() if not parameters]
    definitions = [class_definition(scope, name) for name in plain]
    entered += [included_resource(scope, definition) for definition in definitions]
    compilation.catalog.pending += [one for one in entered if not one.evaluated]


# -- generators ------------------------------------------------------------------------------------


def evaluate_generators(compilation: Compilation) -> None:
    """Collectors, then what waits, again and again until neither does anything."""
    for _ in range(compilation.limits.rounds):
        found = evaluate_collectors(compilation)
        if evaluate_defines(compilation):
            found = True
        if not found:
            return
    raise issues.GENERATION_LIMIT(limit=compilation.limits.rounds)


def evaluate_waiting_class(compilation: Compilation, resource: DeclaredResource) -> None:
    """Run a class of a node classifier; Puppet puts its errors into one of the resource."""
    try:
        evaluate_class(compilation, resource)
    except PuppetError as error:
        raise blame(compilation, error, resource) from error.__cause__


def evaluate_defines(compilation: Compilation) -> bool:
    """Run the defined types and classes that wait and are real by now; whether there were any."""
    ready = [resource for resource in compilation.catalog.pending if not resource.virtual]
    if not ready:
        return False
    compilation.catalog.pending = [
        resource for resource in compilation.catalog.pending if resource.virtual
    ]
    for resource in ready:
        run = evaluate_waiting_class if resource.type == "Class" else evaluate_define
        run(compilation, resource)
    return True
