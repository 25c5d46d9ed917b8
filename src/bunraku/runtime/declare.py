"""Declare resources and classes, and run their bodies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bunraku.base.errors import Issue, PuppetError
from bunraku.base.source import Place
from bunraku.catalog.compiled import Kind
from bunraku.runtime import issues
from bunraku.runtime.declarable_types import declarable_type
from bunraku.runtime.definitions import Definition, declared_at
from bunraku.runtime.error_places import blame
from bunraku.runtime.name_resolution import find_class, find_from
from bunraku.runtime.operators import bare_kind_name, kind_name
from bunraku.runtime.parameters import fill_parameters
from bunraku.runtime.python_frames import current_instruction, instruction_span
from bunraku.runtime.references import flat
from bunraku.runtime.state import Compilation, DeclaredResource, Lines, Scope
from bunraku.runtime.suggest import class_hint
from bunraku.runtime.tables import tabled_value
from bunraku.runtime.tags import add_tags, inherit_tags, own_tags, tag_list
from bunraku.types.model import ClassType, ResourceType, Type
from bunraku.types.relations.infer import infer_generalized
from bunraku.types.text.display import capitalize, display
from bunraku.types.value_text import to_text
from bunraku.values.default import DEFAULT
from bunraku.values.keys import pairs

Value = Any
Attributes = dict[str, Value]
RELATIONSHIP_PARAMETERS = ("before", "notify", "require", "subscribe")


class Append:
    """The value of ``name +> value``."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value


def attributes(*operations: tuple[str, str, Value]) -> Attributes:
    """Attribute operations as one dict: ``*`` unfolds a hash, ``+>`` marks its value."""
    found: Attributes = {}
    for name, operator, value in operations:
        if operator == "*":
            for key, item in pairs(value):
                add_attribute(found, str(key), item)
        else:
            add_attribute(found, name, Append(value) if operator == "+>" else value)
    return found


def attribute_hash(value: Value) -> Value:
    """Return the value of ``* =>``, which must be a hash."""
    if value.__class__ is not dict:
        raise issues.NOT_A_HASH(kind=kind_name(value), bare_kind=bare_kind_name(value))
    return value


def add_attribute(found: Attributes, name: str, value: Value) -> None:
    """Add an attribute, which must not be set yet."""
    if name in found:
        raise issues.DUPLICATE_ATTRIBUTE(name=name)
    found[name] = value


def own_relationships(given: Attributes) -> Attributes:
    """Give relationship attributes lists of their own, shared by the titles of one statement only."""
    for name in RELATIONSHIP_PARAMETERS:
        if name in given and given[name].__class__ is list:
            given[name] = given[name][:]
    return given


# -- resource expressions ----------------------------------------------------------------------------


Table = tuple[tuple[str, Any, Any], ...]
"""Attributes as a constant of compiled code: of each the name, and the pair of its value."""


def own_attributes(scope: Scope, table: Attributes | Table, lines: Lines) -> Attributes:
    """Return the attributes of a body with their values, for its resources alone."""
    if isinstance(table, dict):
        found = table
    else:
        found = {}
        for name, source, rest in table:
            if source is None:
                found[name] = rest
            elif rest is None:
                found[name] = scope[source]
            else:
                found[name] = tabled_value(scope, source, rest)
    return found if lines is None else own_relationships(found)


def declare_table(
    scope: Scope,
    table: tuple[str, str, str, int, tuple[tuple[str, Table, Lines], ...]],
) -> list[Value]:
    """Evaluate a resource expression whose titles are literal and whose attributes are tables."""
    type_, form, file, line, bodies = table
    return declare(scope, type_, form, file, line, *bodies)


def declare(
    scope: Scope,
    type_: str,
    form: str,
    file: str,
    line: int,
    *bodies: tuple[Any, Attributes | Table, Lines],
) -> list[Value]:
    """Evaluate ``type { title: attributes; … }``; return the references of the declared resources."""
    if len(bodies) == 1:
        titles, given, lines = bodies[0]
        if titles.__class__ is str:
            titles = [titles]
        if lines is not None or given.__class__ is not dict:
            given = own_attributes(scope, given, lines)
        if titles.__class__ is list and len(titles) == 1 and titles[0] is not DEFAULT:
            if form == "exported":
                found = [create(scope, type_, titles[0], given, form, file, line, lines)]
                check_export(scope)
                return found
            return [create(scope, type_, titles[0], given, form, file, line, lines)]
        bodies = ((titles, given, lines),)
    return declare_several(scope, type_, form, file, line, *bodies)


def declare_several(
    scope: Scope,
    type_: str,
    form: str,
    file: str,
    line: int,
    *bodies: tuple[Any, Attributes | Table, Lines],
) -> list[Value]:
    """Return the references where there are several titles, or ``default`` among them."""
    titled: list[tuple[list[Value], Attributes, Lines]] = []
    defaults: Attributes = {}
    seen: set[Value] = set()
    for title, given_or_table, lines in bodies:
        given = own_attributes(scope, given_or_table, lines)
        titles: list[Value] = [title] if title is DEFAULT or title.__class__ is str else title
        for item in titles:
            if item in seen:
                raise issues.DUPLICATE_TITLE(title=to_text(item))
            seen.add(item)
            if item is DEFAULT:
                defaults = given
        titled.append((titles, given, lines))
    references: list[Value] = []
    for titles, given, lines in titled:
        references.extend(
            create(scope, type_, title, {**defaults, **given}, form, file, line, lines)
            for title in titles
            if title is not DEFAULT
        )
    if form == "exported":
        check_export(scope)
    return references


def check_export(scope: Scope) -> None:
    """Exported resources need a place to be kept."""
    if not scope.compilation.settings.get("storeconfigs"):
        scope.compilation.messages.warn(issues.EXPORT_IGNORED.code, issues.EXPORT_IGNORED.text)


def resource_type(type_: Value, fits: bool) -> str:
    """Return the name of the type in a resource expression that does not begin with a bare word.

    Only ``File`` and ``Resource[…]`` have a form that fits, not a variable with such a value.
    """
    if fits and isinstance(type_, ResourceType) and type_.title is None and type_.type_name:
        return type_.type_name
    if fits and isinstance(type_, ClassType) and type_.name is None:
        return "class"
    found = type_ if isinstance(type_, Type) else infer_generalized(type_)
    raise issues.ILLEGAL_RESOURCE_TYPE(got=kind_name(type_), type=display(found))


def title_list(title: Value) -> Value:
    """Return the titles that a title expression yields; ``default`` is unchanged."""
    if title is DEFAULT:
        return title
    if title is None:
        raise issues.MISSING_TITLE()
    if title.__class__ is str and title:
        return [title]
    titles = flat(title)
    for index, item in enumerate(titles):
        if item is None:
            raise issues.MISSING_TITLE_AT(index=index)
        if item.__class__ is not str and item is not DEFAULT:
            raise issues.ILLEGAL_TITLE_TYPE_AT(
                index=index, kind=kind_name(item), bare_kind=bare_kind_name(item)
            )
        if not item:
            raise issues.EMPTY_STRING_TITLE_AT(index=index)
    return titles


def create(
    scope: Scope,
    name: str,
    title_value: Value,
    given: Attributes,
    form: str,
    file: str,
    line: int | None,
    lines: Lines = None,
    *,
    title_text: str | None = None,
) -> Value:
    """Declare one resource or class; its reference. The attributes become the resource's own.

    Only functions can pass a title other than a string: it is then used as ``name``, too, unless the
    caller has seen to that and gives the text of the title.
    """
    title = title_value if title_text is None else title_text
    if title.__class__ is not str:
        title = to_text(title_value)
        given = {"name": title, **given}
    compilation = scope.compilation
    if name == "class":
        if form != "regular":
            raise issues.ILLEGAL_CLASS_FORM()
        return declare_class(scope, title, given, file, line, lines)
    plan = compilation.resource_types.declarable.get(name) or declarable_type(scope, name)
    resource = DeclaredResource(
        plan.type, title, scope, plan.definition, plan.kind, file or None, line
    )
    if form != "regular":
        resource.virtual = True
        resource.exported = form == "exported"
    resource.schema = plan.schema
    resource.title_value = title_value
    resource.lines = lines
    set_parameters(resource, given)
    own_tags(resource)
    if not compilation.rules.late_defaults:
        add_defaults(resource)
    add_resource(compilation, scope, resource)
    return ResourceType(plan.name, title)


def import_resource(scope: Scope, type_: str, stored: Mapping[str, Any]) -> DeclaredResource:
    """Put a resource that another node exports into the catalog."""
    compilation: Compilation = scope.compilation
    name = type_.lower()
    definition = None
    schema = compilation.resource_types[name]
    if schema is None:
        definition = compilation.definitions.find(name, "define")
        if definition is None:
            raise issues.UNKNOWN_TYPE_IN_STATEMENT(name=name)
    resource = DeclaredResource(
        type_,
        stored["title"],
        scope=scope,
        definition=definition,
        kind="compilable_type" if definition is None else "defined_type",
    )
    resource.schema = schema
    resource.imported = stored["certname"]
    set_parameters(resource, dict(stored["parameters"]))
    own_tags(resource)
    add_defaults(resource)
    add_resource(compilation, scope, resource)
    return resource


def set_parameters(resource: DeclaredResource, given: Attributes) -> None:
    """Set the attributes as written; the resource takes over the dict."""
    if Append in map(type, given.values()):
        given = {
            key: value.value if value.__class__ is Append else value for key, value in given.items()
        }
    resource.parameters = given
    if "tag" in given:
        add_tags(resource, tag_list(given["tag"]))


def add_defaults(resource: DeclaredResource) -> None:
    """Apply resource defaults to attributes that are not given."""
    scope = resource.scope
    if resource.type not in scope.compilation.resource_types.with_defaults:
        return
    for key, value in scope.find_defaults(resource.type).items():
        if key not in resource.parameters:
            resource.parameters[key] = value.value if value.__class__ is Append else value
            if key == "tag" and scope.compilation.rules.defaults_tag:
                add_tags(resource, tag_list(value))


def add_resource(compilation: Compilation, scope: Scope, resource: DeclaredResource) -> None:
    """Add a resource to the catalog and to its container."""
    key = (resource.type, resource.title)
    catalog = compilation.catalog
    known = catalog.index.get(key)
    if known is not None:
        raise issues.DUPLICATE_DECLARATION(
            reference=resource.reference, place=declared_at(known.file, known.line)
        )
    if len(catalog.index) >= compilation.limits.resources:
        raise issues.TOO_MANY_RESOURCES(limit=compilation.limits.resources)
    catalog.index[key] = resource
    catalog.resources.append(resource)
    if compilation.rules.aliases_clash:
        catalog.note_aliases(resource)
    else:
        note_name(compilation, resource)
    if resource.type == "Class":
        return
    if resource.parameters.get("stage") is not None:
        raise issues.STAGE_ON_RESOURCE(reference=resource.reference)
    if resource.type != "Stage":
        # A new resource has no other container yet, so this edge is new.
        compilation.catalog.edges.append((scope.resource.reference, resource.reference))
    if resource.kind == "defined_type":
        compilation.catalog.pending.append(resource)


def note_name(compilation: Compilation, resource: DeclaredResource) -> None:
    """Add a ``name`` that differs from the title as an alias, in Puppet 3."""
    name = resource.parameters.get("name")
    schema = resource.schema
    if name is None or name == resource.title or (schema is not None and not schema.isomorphic):
        return
    if resource.type != "Class" and name.__class__ is str:
        compilation.catalog.add_alias(resource, [name], [name])


def add_edge(
    compilation: Compilation, container: DeclaredResource, member: DeclaredResource
) -> None:
    """Containment of a class, which can have several containers; the same edge only once."""
    edge = (container.reference, member.reference)
    if edge not in compilation.catalog.edge_set:
        compilation.catalog.edge_set.add(edge)
        compilation.catalog.edges.append(edge)


def contain_class(
    compilation: Compilation, container: DeclaredResource, resource: DeclaredResource
) -> None:
    """Contain a class, which may have the tags of another container already."""
    add_edge(compilation, container, resource)
    if resource.scope.resource is not container:
        compilation.late_tags = True


# -- classes ---------------------------------------------------------------------------------------


def class_definition(scope: Scope, name: str, unknown: Issue | None = None) -> Definition:
    """Return a class by name; raise when it does not exist."""
    compilation: Compilation = scope.compilation
    found = find_class(scope, name)
    if found is None:
        shown = name if unknown is not None or name.startswith("::") else f"::{name}"
        issue = unknown or issues.UNKNOWN_CLASS
        error = issue(name=shown, node=compilation.node_name)
        raise error.hinted(class_hint(compilation, name))
    return found


def declare_class(
    scope: Scope, title: str, given: Attributes, file: str, line: int | None, lines: Lines = None
) -> Value:
    """Evaluate ``class { 'name': parameters }``."""
    resource = enter_declared_class(scope, title, given, file, line, lines)
    evaluate_class(scope.compilation, resource)
    return ClassType(resource.title.lower())


def enter_declared_class(
    scope: Scope,
    title: str,
    given: Attributes,
    file: str,
    line: int | None,
    lines: Lines = None,
    kind: Kind = "class",
) -> DeclaredResource:
    """Return a class with parameters after adding it to the catalog; raise if it is declared."""
    compilation: Compilation = scope.compilation
    definition = class_definition(scope, title, issues.UNKNOWN_DECLARED_CLASS)
    resource = compilation.catalog.find("class", definition.name)
    if resource is not None:
        raise issues.DUPLICATE_DECLARATION(
            reference=resource.reference, place=declared_at(resource.file, resource.line)
        ).hinted(included_before(compilation, definition))
    resource = class_resource(scope, definition)
    resource.file, resource.line, resource.kind = file or None, line, kind
    resource.lines = lines
    set_parameters(resource, given)
    enter_class(compilation, scope, resource)
    return resource


def included_before(compilation: Compilation, definition: Definition) -> str | None:
    """Return the hint which code included a class before it is declared with parameters."""
    instruction = compilation.included_at.get(definition.name)
    span = instruction_span(compilation.loader.sources, instruction)
    if span is None:
        return None
    place = span.place
    return f"{place.file}:{place.line} includes the class before: declare it first, or set its parameters in Hiera"


def include_class(scope: Scope, name: str) -> DeclaredResource:
    """Evaluate ``include name``: declare the class unless it is, and run it."""
    return include_classes(scope, [name])[0]


def include_classes(scope: Scope, names: Iterable[str]) -> list[DeclaredResource]:
    """Evaluate ``include a, b``: all are found, then all are in the catalog, then each is run."""
    definitions = [class_definition(scope, name) for name in names]
    resources = [included_resource(scope, definition) for definition in definitions]
    for resource in resources:
        evaluate_class(scope.compilation, resource)
    return resources


def included_resource(scope: Scope, definition: Definition) -> DeclaredResource:
    """Return the resource of a class; add it to the catalog if it is missing."""
    compilation: Compilation = scope.compilation
    node = compilation.node_scope
    merges = compilation.rules.classes_merge
    if merges and node is not None and node.resource.title == definition.name:
        found: DeclaredResource = node.resource
        return found
    resource = compilation.catalog.find("class", definition.name)
    if resource is None:
        resource = class_resource(scope, definition)
        compilation.included_at[definition.name] = current_instruction()
        enter_class(compilation, scope, resource)
    if resource.definition is None and not (merges and definition.name == "settings"):
        # A class called main or settings shares the resource that is always there.
        resource.definition = definition
        resource.evaluated = False
    return resource


def class_resource(scope: Scope, definition: Definition) -> DeclaredResource:
    """Return the resource of a class, not yet in the catalog."""
    resource = DeclaredResource(
        "Class",
        capitalize(definition.name),
        scope=scope,
        definition=definition,
        kind="unknown",
    )
    own_tags(resource)
    return resource


def enter_class(compilation: Compilation, scope: Scope, resource: DeclaredResource) -> None:
    """Put a class into the catalog, its parent before it."""
    definition = resource.definition
    assert definition is not None  # the resource is a class or an instance of a defined type
    parent = parent_definition(compilation, definition)
    if parent is not None and compilation.catalog.find("class", parent.name) is None:
        enter_class(compilation, scope, class_resource(scope, parent))
    if "Class" in compilation.resource_types.with_defaults:  # which only Ruby code can state
        add_defaults(resource)
    add_resource(compilation, scope, resource)


def parent_definition(compilation: Compilation, definition: Definition) -> Definition | None:
    """Return the class that a class inherits from."""
    if definition.parent is None:
        return None
    name = definition.parent
    found = find_from(compilation, name, "class", definition.name)
    if found is None:
        error = issues.PARENT_NOT_FOUND(
            parent=name, name=definition.name, environment=compilation.environment.name
        )
        raise error.hinted(class_hint(compilation, name)).at(Place.of(definition))
    definition.parent = found.name
    check_ancestry(compilation, found, definition)
    return found


def check_ancestry(compilation: Compilation, start: Definition, definition: Definition) -> None:
    """Refuse a class that inherits from itself."""
    sound = compilation.definitions.sound_classes
    seen = {definition.name: None}
    current: Definition | None = start
    while current is not None and current.name not in sound:
        if current.name in seen:
            error = issues.INHERITANCE_CYCLE(name=definition.name, path=" -> ".join(seen))
            raise error.at(Place.of(definition))
        seen[current.name] = None
        if current.parent is None:
            break
        current = find_from(compilation, current.parent, "class", current.name)
    sound.update(seen)


def evaluate_class(compilation: Compilation, resource: DeclaredResource) -> None:
    """Run a class, once; its parent first."""
    if resource.evaluated:
        return
    resource.evaluated = True
    definition = resource.definition
    assert definition is not None  # the resource is a class or an instance of a defined type
    inherit_tags(resource)
    parent = parent_definition(compilation, definition)
    parent_scope = None
    if parent is not None:
        parent_resource = compilation.catalog.find("class", parent.name)
        if parent_resource is not None:
            evaluate_class(compilation, parent_resource)
        parent_scope = compilation.class_scopes.get(parent.name)
    outer = parent_scope or resource.scope.global_scope()
    scope = Scope(compilation, outer, parent_scope or resource.scope, resource, definition)
    compilation.class_scopes[definition.name] = scope
    compilation.catalog.classes.append(definition.name)
    fill_parameters(compilation, resource, scope)
    add_edge_to_stage(compilation, resource)
    definition.body(scope)


def add_edge_to_stage(compilation: Compilation, resource: DeclaredResource) -> None:
    """Contain a class in its run stage: its own, else that of the class that declares it."""
    name = resource.parameters.get("stage")
    container = resource.scope.resource
    if name is None and container is not None and container is not resource:
        name = container.parameters.get("stage")
    stage = compilation.catalog.find("stage", str(name) if name is not None else "main")
    if stage is None:
        raise issues.UNKNOWN_STAGE(stage=name, specified=resource.reference, reference=resource)
    if stage.title != "main":
        resource.parameters.setdefault("stage", stage.title)
    add_edge(compilation, stage, resource)


# -- defined types -----------------------------------------------------------------------------------


def evaluate_define(compilation: Compilation, resource: DeclaredResource) -> None:
    """Run an instance of a defined type, once."""
    if resource.evaluated:
        return
    resource.evaluated = True
    definition = resource.definition
    assert definition is not None  # the resource is a class or an instance of a defined type
    inherit_tags(resource)
    if compilation.rules.late_defaults:
        add_defaults(resource)
    outer = resource.scope.global_scope()
    scope = Scope(compilation, outer, resource.scope, resource, definition)
    try:
        fill_parameters(compilation, resource, scope)
        definition.body(scope)
    except PuppetError as error:
        raise blame(compilation, error, resource) from error.__cause__
