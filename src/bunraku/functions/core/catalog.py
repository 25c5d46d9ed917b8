"""Functions that work on the catalog: classes, virtual resources, tags, definitions."""

from __future__ import annotations

from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.functions.core import issues
from bunraku.functions.declaration import FunctionTable
from bunraku.runtime.callables import Value
from bunraku.runtime.collect import Realizer, collectors_of
from bunraku.runtime.control import NextIteration, ReturnFromFunction
from bunraku.runtime.declare import (
    contain_class,
    create,
    include_classes,
    own_relationships,
)
from bunraku.runtime.operators import bare_kind_name, kind_name
from bunraku.runtime.python_frames import current_instruction
from bunraku.runtime.references import flat
from bunraku.runtime.relate import reference_key, text_key
from bunraku.runtime.state import UNPLACED, DeclaredResource, Scope
from bunraku.runtime.tags import add_further_tags
from bunraku.types.model import ClassType, ResourceType, Type, TypeType
from bunraku.types.text.display import display
from bunraku.types.value_text import to_text
from bunraku.values.keys import pairs

function = FunctionTable()
NO_TYPES = frozenset({"class", "node"})
"""Names that are declared like resources but are not resource types."""

# -- classes ---------------------------------------------------------------------------------------


def class_names(name: str, values: tuple[Value, ...]) -> list[str]:
    """Class names in arguments: strings, class references, nested arrays of them."""
    names = []
    for value in flat(list(values)):
        if value.__class__ is str:
            if not value:
                raise issues.EMPTY_CLASS_NAME(function=name)
            names.append(value)
        elif isinstance(value, ClassType) and value.name is not None:
            names.append(value.name)
        elif isinstance(value, ResourceType) and value.type_name == "class" and value.title:
            names.append(value.title)
        elif value is None:
            raise issues.CLASS_NAME_UNDEF(function=name)
        else:
            problem = "undefined method `downcase' for nil:NilClass"
            if isinstance(value, ResourceType) and value.type_name:
                type_name = display(ResourceType(value.type_name))
                problem = f"Cannot use a Resource[{type_name}] where a Resource['class', name] is expected"
            raise issues.NOT_A_CLASS_NAME(function=name, kind=kind_name(value), problem=problem)
    return names


def no_arguments(name: str, values: tuple[Value, ...]) -> None:
    """Refuse a call without arguments."""
    if not values:
        problem = f"'{name}' expects at least 1 argument, got none"
        if name in OLD_API:
            problem = f"{name}(): Wrong number of arguments given (0 for minimum 1)"
        raise issues.MISSING_ARGUMENT(function=name, problem=problem)


OLD_API = frozenset({"realize", "tag", "tagged"})
"""Functions that Puppet has in its older interface, whose words differ."""


def need_catalog(scope: Scope, name: str) -> None:
    """Refuse a call in a script or plan, which make no catalog."""
    if scope.compilation.settings.get("tasks"):
        raise issues.NOT_WHEN_SCRIPTING(name=name)


@function("include(Any *$names)", scope=True, since="0.16.1")
def include(scope: Scope, *names: Value) -> list[Value]:
    """Declare classes, each once, and return references to them.

    ```puppet
    include([]) == []
    ```
    """
    no_arguments("include", names)
    need_catalog(scope, "include")
    return [class_reference(resource) for resource in included(scope, "include", names)]


def included(scope: Scope, function_name: str, values: tuple[Value, ...]) -> list[DeclaredResource]:
    """Return the resources of classes, declared if need be; that of the settings is always there."""
    names = class_names(function_name, values)
    compilation = scope.compilation
    settings = compilation.catalog.index.get(("Class", "Settings"))
    if settings is None:
        raise issues.INCLUDED_TOO_EARLY(function=function_name)

    def is_settings(name: str) -> bool:
        plain = name.lower().removeprefix("::")
        return plain == "settings" and compilation.definitions.find(plain, "class") is None

    try:
        found = iter(include_classes(scope, [name for name in names if not is_settings(name)]))
    except (ReturnFromFunction, NextIteration):
        return []  # a default of a parameter ends the call of the function that includes the class
    return [settings if is_settings(name) else next(found) for name in names]


def class_reference(resource: DeclaredResource) -> ClassType:
    """Return the reference to a class."""
    return ClassType(resource.title.lower())


@function("contain(Any *$names)", scope=True, since="3.4.0")
def contain(scope: Scope, *names: Value) -> list[Value]:
    """Declare classes and contain them in the class or defined type that calls.

    ```puppet
    contain([]) == []
    ```
    """
    no_arguments("contain", names)
    need_catalog(scope, "contain")
    found: list[Value] = []
    container = scope.resource
    for resource in included(scope, "contain", names):
        if container is not None and container is not resource:
            contain_class(scope.compilation, container, resource)
        found.append(class_reference(resource))
    return found


@function("require(Any *$names)", scope=True, since="0.25.0")
def require(scope: Scope, *names: Value) -> list[Value]:
    """Declare classes and make the caller's class or defined type require them.

    ```puppet
    require([]) == []
    ```
    """
    no_arguments("require", names)
    need_catalog(scope, "require")
    found: list[Value] = []
    container: DeclaredResource | None = scope.resource
    for resource in included(scope, "require", names):
        reference = class_reference(resource)
        if container is not None:
            known = container.parameters.get("require")
            before = [] if known is None else flat(known)
            container.parameters["require"] = [*before, reference]
            places = container.places or {}
            setter = places.get("require", (container.scope,))[0]
            container.places = {**places, "require": (setter, None, None)}
        found.append(reference)
    return found


# -- resources ---------------------------------------------------------------------------------------


@function(
    "create_resources(Optional[String] $type, Hash $resources, Hash $defaults = {})",
    scope=True,
    since="2.7.0",
)
def create_resources(
    scope: Scope, type_: str | None, resources: dict[Any, Value], defaults: Any = None
) -> None:
    """Declare a resource for each entry of a hash: title to attributes.

    ```puppet
    create_resources('notify', {}) == undef
    ```
    """
    need_catalog(scope, "create_resources")
    type_ = type_ or ""
    form = "exported" if type_.startswith("@@") else "virtual" if type_.startswith("@") else ""
    mark = {"exported": "@@", "virtual": "@"}.get(form, "")
    name = type_.removeprefix(mark).lower().removeprefix("::")
    file, line = scope.compilation.messages.current_place()
    common = own_relationships({str(key): value for key, value in pairs(defaults or {})})
    for title, given in pairs(resources):
        if given.__class__ is not dict:
            bare = bare_kind_name(given)
            raise issues.NOT_ATTRIBUTES(title=title, kind=kind_name(given), bare_kind=bare)
        own = own_relationships({str(key): value for key, value in pairs(given)})
        attributes = {**common, **own}
        for one in title if title.__class__ is list else [title]:
            create(
                scope,
                name,
                one,
                attributes.copy(),
                form or "regular",
                file or "unknown",
                line,
                UNPLACED,
            )


@function("realize(Any *$references)", scope=True, since="0.20.0")
def realize(scope: Scope, *references: Value) -> None:
    """Make virtual resources real, now or when they are declared.

    ```puppet
    realize([]) == undef
    ```
    """
    no_arguments("realize", references)
    need_catalog(scope, "realize")
    wanted = [reference_of("realize", item) for item in flat(list(references))]
    if wanted:
        collectors_of(scope.compilation).append(Realizer(wanted, current_instruction()))


def reference_of(name: str, value: Value) -> tuple[str, str]:
    """Type and title of a reference or of text such as ``File[/a]``."""
    if isinstance(value, ResourceType) and value.title is not None:
        return reference_key(value)
    if isinstance(value, ClassType) and value.name is not None:
        return reference_key(value)
    key = text_key(value) if value.__class__ is str else None
    if key is None:
        raise issues.NOT_A_REFERENCE(function=name, kind=kind_name(value))
    return key


# -- tags ------------------------------------------------------------------------------------------


@function("tag(Any *$tags)", scope=True, since="0.16.1")
def tag(scope: Scope, *tags: Value) -> None:
    """Add tags to the class or defined type that calls, and so to all it contains."""
    no_arguments("tag", tags)
    need_catalog(scope, "tag")
    scope.compilation.late_tags = True
    try:
        add_further_tags(
            scope.resource, ["" if item is None else item for item in flat(list(tags))]
        )
    except PuppetError as error:
        error.having_in_puppet(form="evaluated")
        raise


@function("tagged(Any *$tags)", scope=True, since="0.16.1")
def tagged(scope: Scope, *tags: Value) -> bool:
    """Return whether the caller's class or defined type, or the catalog, has all of these tags.

    ```puppet
    tagged('class') == true
    tagged('no_such_tag') == false
    ```
    """
    no_arguments("tagged", tags)
    need_catalog(scope, "tagged")
    known = set(scope.resource.tags)
    container = scope.resource.scope.resource
    if container is not None:
        known.update(container.tags)
    for resource in scope.compilation.catalog.resources:
        if resource.type == "Class" and resource.definition is not None:
            name = resource.title.lower()
            known.update((name, *name.split("::")))
    return all(to_text(item).lower() in known for item in tags)


# -- lookups -----------------------------------------------------------------------------------------


@function(
    "defined(Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] *$vals)",
    scope=True,
    since="0.16.1",
)
def defined(scope: Scope, *vals: Value) -> bool:
    """Return whether any of the arguments is defined.

    An argument is a variable ``'$x'``, the name of a class or type, or a reference to a declared
    resource. Functions do not count.

    ```puppet
    defined('file') == true
    defined('notice') == false
    defined('no_such_thing') == false
    defined(File['/no/such']) == false
    ```
    """
    no_arguments("defined", vals)
    return any(is_defined(scope, item) for item in vals)


def is_defined(scope: Scope, what: Value) -> bool:
    """Return whether one thing is there."""
    compilation = scope.compilation
    if what.__class__ is str:
        return is_name_defined(scope, what)
    if isinstance(what, TypeType):
        inner = what.type
        return inner is not None and is_type_known(scope, inner)
    if isinstance(what, ResourceType):
        if what.title is not None:
            return compilation.catalog.find_reference(what) is not None
        if what.type_name is None:
            raise issues.NO_TITLE(kind=display(what))
        return bool(compilation.types.is_resource_type(what.type_name))
    if isinstance(what, ClassType) and what.name is not None:
        return compilation.catalog.find_reference(what) is not None
    raise issues.NO_TITLE(kind=display(what))


def is_type_known(scope: Scope, type_: Type) -> bool:
    """Return whether a type can be declared: ``Type[File]``, ``Type[Class['x']]``."""
    compilation = scope.compilation
    if isinstance(type_, ResourceType):
        return type_.type_name is not None and compilation.types.is_resource_type(type_.type_name)
    if isinstance(type_, ClassType):
        return type_.name is not None and (
            compilation.definitions.find(type_.name, "class") is not None
        )
    return False


def is_name_defined(scope: Scope, name: str) -> bool:
    """Return whether a variable, class, defined type or resource type of a name is there."""
    if name.startswith("$"):
        return scope.exists(name[1:])
    if name in ("", "main", "settings"):
        return name != ""
    compilation = scope.compilation
    lower = name.lower()
    if compilation.definitions.find(lower, "class") is not None:
        return True
    if name.startswith("::"):  # of resource types, only defined types have such names
        return compilation.definitions.find(lower, "define") is not None
    return lower not in NO_TYPES and compilation.types.is_resource_type(lower)


# -- failing ---------------------------------------------------------------------------------------


@function("fail(Any *$values)", scope=True, since="0.18.1")
def fail(scope: Scope, *values: Value) -> None:
    """Stop the compile with a message."""
    raise issues.FAILED(message=scope.compilation.message_text(values))
