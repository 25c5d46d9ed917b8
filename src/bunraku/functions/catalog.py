"""Functions that work on the catalog: classes, virtual resources, tags, what is defined."""

from __future__ import annotations

from typing import Any

from bunraku.catalog.model import Resource
from bunraku.functions import issues_catalog as issues
from bunraku.functions.control_flow import NAMES as CONTROL
from bunraku.runtime.collect import Realizer
from bunraku.runtime.compilation import flat
from bunraku.runtime.declare import (
    add_edge,
    add_tags,
    create,
    include_classes,
)
from bunraku.runtime.operators import kind_name
from bunraku.runtime.registry import FunctionTable, Value
from bunraku.runtime.relate import key_reference, reference_key, text_key
from bunraku.runtime.scope import MISSING, Scope
from bunraku.types.model import ClassType, ResourceType, Type, TypeType
from bunraku.types.names import builtin_type
from bunraku.values.keys import pairs

function = FunctionTable()

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
            raise issues.NOT_A_CLASS_NAME(function=name, kind=kind_name(value))
    return names


def no_arguments(name: str, values: tuple[Value, ...]) -> None:
    """Refuse a call without arguments."""
    if not values:
        raise issues.NO_ARGUMENTS(function=name)


@function("include(Any *$names)", scope=True)
def include(scope: Scope, *names: Value) -> list[Value]:
    """Declare classes, each once, and return references to them.

    ```puppet
    include([]) == []
    ```
    """
    no_arguments("include", names)
    resources = include_classes(scope, class_names("include", names))
    return [class_reference(resource) for resource in resources]


def class_reference(resource: Resource) -> ClassType:
    """The reference to a class."""
    return ClassType(resource.title.lower())


@function("contain(Any *$names)", scope=True)
def contain(scope: Scope, *names: Value) -> list[Value]:
    """Declare classes and contain them in the class or defined type that calls.

    ```puppet
    contain([]) == []
    ```
    """
    no_arguments("contain", names)
    found: list[Value] = []
    container = scope.resource
    for resource in include_classes(scope, class_names("contain", names)):
        if container is not None and container is not resource:
            add_edge(scope.compilation, container, resource)
        found.append(class_reference(resource))
    return found


@function("require(Any *$names)", scope=True)
def require(scope: Scope, *names: Value) -> list[Value]:
    """Declare classes and make the caller's class or defined type require them.

    ```puppet
    require([]) == []
    ```
    """
    no_arguments("require", names)
    found: list[Value] = []
    container: Resource | None = scope.resource
    for resource in include_classes(scope, class_names("require", names)):
        reference = class_reference(resource)
        if container is not None:
            known = container.parameters.get("require")
            before = [] if known is None else flat(known)
            container.parameters["require"] = [*before, reference]
        found.append(reference)
    return found


# -- resources ---------------------------------------------------------------------------------------


@function(
    "create_resources(Optional[String] $type, Hash $resources, Optional[Hash] $defaults = undef)",
    scope=True,
)
def create_resources(
    scope: Scope, type_: str | None, resources: dict[Any, Value], defaults: Any = None
) -> None:
    """Declare a resource for each entry of a hash: title to attributes.

    ```puppet
    create_resources('notify', {}) == undef
    ```
    """
    type_ = type_ or ""
    form = "exported" if type_.startswith("@@") else "virtual" if type_.startswith("@") else ""
    name = type_.lstrip("@").lower().removeprefix("::")
    place = scope.compilation.current_place()
    common = {str(key): value for key, value in pairs(defaults or {})}
    for title, given in pairs(resources):
        if given is not None and given.__class__ is not dict:
            raise issues.NOT_ATTRIBUTES(title=title, kind=kind_name(given))
        attributes = dict(common)
        for key, value in pairs(given or {}):
            attributes[str(key)] = value
        create(scope, name, title, attributes, form or "regular", *place)


@function("realize(Any *$references)", scope=True)
def realize(scope: Scope, *references: Value) -> None:
    """Make virtual resources real, now or when they are declared.

    ```puppet
    realize([]) == undef
    ```
    """
    no_arguments("realize", references)
    wanted = [reference_of("realize", item) for item in flat(list(references))]
    if wanted:
        scope.compilation.collectors.append(Realizer(wanted))


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


@function("tag(Any *$tags)", scope=True)
def tag(scope: Scope, *tags: Value) -> None:
    """Add tags to the class or defined type that calls, and so to all it contains."""
    no_arguments("tag", tags)
    add_tags(scope.resource, flat(list(tags)))


@function("tagged(Any *$tags)", scope=True)
def tagged(scope: Scope, *tags: Value) -> bool:
    """Whether the caller's class or defined type, or the catalog, has all of these tags.

    ```puppet
    tagged('class') == true
    tagged('no_such_tag') == false
    ```
    """
    no_arguments("tagged", tags)
    wanted = flat(list(tags))
    compilation = scope.compilation
    known = set(scope.resource.tags)
    container = scope.resource.scope.resource if scope.resource.scope is not None else None
    if container is not None:
        known.update(container.tags)
    for name in compilation.catalog.classes:
        known.add(name)
        known.update(name.split("::"))
    return bool(wanted) and all(str(item).lower() in known for item in wanted)


# -- what is there -----------------------------------------------------------------------------------


@function(
    "defined(Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] *$what)", scope=True
)
def defined(scope: Scope, *what: Value) -> bool:
    """Whether any of the arguments is there: a variable ``'$x'``, a class, type or function by its
    name, a declared resource by its reference.

    ```puppet
    defined('file') == true
    defined('no_such_thing') == false
    defined(File['/no/such']) == false
    ```
    """
    if not what:
        raise issues.NO_ARGUMENTS(function="defined")
    return any(is_defined(scope, item) for item in what)


def is_defined(scope: Scope, what: Value) -> bool:
    """Whether one thing is there."""
    compilation = scope.compilation
    if what.__class__ is str:
        return is_name_defined(scope, what)
    if isinstance(what, TypeType):
        inner = what.type
        return inner is not None and is_type_known(scope, inner)
    if isinstance(what, ResourceType):
        if what.title is not None:
            return compilation.find_reference(what) is not None
        return what.type_name is not None and compilation.is_resource_type(what.type_name)
    if isinstance(what, ClassType):
        return what.name is not None and compilation.find_reference(what) is not None
    return False


def is_type_known(scope: Scope, type_: Type) -> bool:
    """Whether a type can be declared: ``Type[File]``, ``Type[Class['x']]``."""
    compilation = scope.compilation
    if isinstance(type_, ResourceType):
        return type_.type_name is not None and compilation.is_resource_type(type_.type_name)
    if isinstance(type_, ClassType):
        return type_.name is not None and (
            compilation.find_definition(type_.name, "class") is not None
        )
    return False


def is_name_defined(scope: Scope, name: str) -> bool:
    """Whether a variable, class, defined type, resource type or function of a name is there."""
    if name.startswith("$"):
        return scope.lookup(name[1:]) is not MISSING
    if name in ("", "main"):
        return name == "main"
    compilation = scope.compilation
    key = text_key(name)
    if key is not None:
        return compilation.find_reference(key_reference(key)) is not None
    plain = name.removeprefix("::")
    lower = plain.lower()
    return (
        compilation.find_definition(lower, "class") is not None
        or compilation.is_resource_type(lower)
        or (plain not in CONTROL and compilation.find_function(plain) is not None)
        or (plain[:1].isupper() and builtin_type(plain) is not None)
        or (plain[:1].isupper() and compilation.load_type(plain) is not None)
    )


# -- failing ---------------------------------------------------------------------------------------


@function("fail(Any *$values)", scope=True)
def fail(scope: Scope, *values: Value) -> None:
    """Stop the compile with a message."""
    raise issues.FAILED(text=scope.compilation.message_text(values))
