"""Functions of Puppet 3 that work on the catalog: classes, resources, tags, definitions."""

from __future__ import annotations

from bunraku.dialects.puppet_3.functions import issues
from bunraku.dialects.puppet_3.functions.table import OLD_PARSER, Table, need_text, shown
from bunraku.dialects.puppet_3.resources import create_one
from bunraku.dialects.puppet_3.values import plain_text
from bunraku.runtime.callables import Value
from bunraku.runtime.collect import Realizer, collectors_of
from bunraku.runtime.declare import contain_class, include_class
from bunraku.runtime.markers import MISSING
from bunraku.runtime.name_resolution import add_namespace, find_class, find_class_near, find_define
from bunraku.runtime.python_frames import current_instruction
from bunraku.runtime.relate import reference_key, text_key
from bunraku.runtime.state import DeclaredResource, Scope
from bunraku.runtime.tags import add_further_tags
from bunraku.types.model import ClassType, ResourceType
from bunraku.values.keys import pairs
from bunraku.values.ruby_semantics.collections import flatten

function = Table()
NO_TYPES = frozenset({"class", "node"})
"""Names that are declared like resources but are not resource types."""

# -- classes ---------------------------------------------------------------------------------------


def included(scope: Scope, function_name: str, values: tuple[Value, ...]) -> list[DeclaredResource]:
    """Return the resources of classes, each declared and run before the next is searched.

    The empty name is that of the code outside classes, which is there already.
    """
    found = []
    for value in flatten(values):
        name = class_name(function_name, value)
        if not name:
            continue
        definition = find_class(scope, name)
        full = name if definition is None else f"::{definition.name}"
        found.append(include_class(scope, full))
    return found


def class_name(function_name: str, value: Value) -> str:
    """Return the name in an argument: text, undef (the empty text) or a reference to a class."""
    if value is None:
        return ""
    if isinstance(value, ClassType) and value.name is not None:
        return value.name
    if value.__class__ is not str:
        raise issues.NOT_A_CLASS_NAME(name=function_name, actual=shown(value))
    name: str = value
    return name


@function.api_3("include", 1)
def include(scope: Scope, *names: Value) -> None:
    """Declare classes, each once."""
    included(scope, "include", names)


@function.api_3("contain", 1)
def contain(scope: Scope, *names: Value) -> None:
    """Declare classes and contain them in the class or defined type that calls."""
    container = scope.resource
    for resource in included(scope, "contain", names):
        if container is not None and container is not resource:
            contain_class(scope.compilation, container, resource)


@function.api_3("require", 1)
def require(scope: Scope, *names: Value) -> None:
    """Declare classes and make the caller's class or defined type require them."""
    resource = scope.resource
    for found in included(scope, "require", names):
        known = resource.parameters.get("require")
        before = [] if known is None else flatten([known])
        resource.parameters["require"] = [*before, ClassType(found.title.lower())]


@function.api_3("search", 1, since="0.24.6", until="3.8.7")
def search(scope: Scope, *names: Value) -> None:
    """Look for classes and defined types in these namespaces, too, in the code that calls."""
    scope.compilation.messages.warn(issues.SEARCH_DEPRECATED.code, issues.SEARCH_DEPRECATED.text)
    for name in names:
        add_namespace(scope, plain_text(name))


# -- resources -------------------------------------------------------------------------------------


@function.api_3("create_resources", 2, 3)
def create_resources(
    scope: Scope, type_: Value, resources: Value, defaults: Value = MISSING
) -> None:
    """Declare a resource or class for each entry of a hash: title to attributes."""
    if resources.__class__ is not dict:
        raise issues.NOT_A_HASH(position="second")
    if defaults is not MISSING and defaults.__class__ is not dict:
        raise issues.NOT_A_HASH(position="third")
    written = need_text("create_resources", type_)
    form = "exported" if written.startswith("@@") else "virtual" if written.startswith("@") else ""
    name = written.removeprefix("@").removeprefix("@").lower()
    common = {} if defaults is MISSING else attributes("", defaults)
    file, line = scope.compilation.messages.current_place()
    for title, given in pairs(resources):
        merged = {**common, **attributes(title, given)}
        known = {key: value for key, value in merged.items() if value is not None}
        create_one(scope, name, title, known, form or "regular", file, line, None)


def attributes(title: Value, given: Value) -> dict[str, Value]:
    """Return a hash as the attributes of a resource."""
    if given.__class__ is not dict:
        raise issues.NOT_ATTRIBUTES(title=plain_text(title))
    return {plain_text(key): value for key, value in pairs(given)}


@function.api_3("realize", 1)
def realize(scope: Scope, *references: Value) -> None:
    """Make virtual resources real, now or when they are declared."""
    wanted = []
    for value in flatten(references):
        if value is None or value == "":
            continue
        key = reference_of(value)
        if key is None:
            raise issues.NOT_REALIZABLE(references=plain_text(value))
        wanted.append(key)
    if wanted:
        collectors_of(scope.compilation).append(Realizer(wanted, current_instruction()))


def reference_of(value: Value) -> tuple[str, str] | None:
    """Type and title of a reference, or of text such as ``File[/a]``."""
    if isinstance(value, ResourceType | ClassType):
        return reference_key(value)
    return text_key(value) if value.__class__ is str else None


# -- tags ------------------------------------------------------------------------------------------


@function.api_3("tag", 1)
def tag(scope: Scope, *tags: Value) -> None:
    """Add tags to the class or defined type that calls, and so to all it contains."""
    texts = [plain_text(item) for item in flatten(tags)]
    if "" in texts:
        raise issues.INVALID_TAG(tag="")
    scope.compilation.late_tags = True
    add_further_tags(scope.resource, texts)


@function.api_3("tagged", 1)
def tagged(scope: Scope, *tags: Value) -> bool:
    """Return whether the caller's class or defined type, or the catalog, has all of these tags."""
    known = set(scope.resource.tags)
    for resource in scope.compilation.catalog.resources:
        if resource.type == "Class" and resource.definition is not None:
            name = resource.title.lower()
            known.update(("class", name, *name.split("::")))
    return all(item.__class__ is str and item in known for item in tags)


# -- lookups ---------------------------------------------------------------------------------------


@function.api_3("defined", 1, dialects=OLD_PARSER)
def defined(scope: Scope, *what: Value) -> bool:
    """Return whether any argument exists: a variable ``'$x'``, a class or type by its name, a
    declared resource by its reference.
    """
    return any(is_defined(scope, item) for item in what)


def is_defined(scope: Scope, what: Value) -> bool:
    """Return whether one thing exists."""
    if what.__class__ is str:
        return is_name_defined(scope, what)
    if isinstance(what, ResourceType | ClassType):
        return scope.compilation.catalog.find_reference(what) is not None
    raise issues.NOT_DEFINABLE(actual=shown(what))


def is_name_defined(scope: Scope, name: str) -> bool:
    """Return whether a variable, class, defined type or resource type of a name exists.

    The empty name is that of the code outside classes.
    """
    if len(name) > 1 and name.startswith("$"):
        return scope.lookup(name[1:]) is not MISSING
    plain = name.lower()
    if plain not in NO_TYPES and plain and scope.compilation.resource_types[plain] is not None:
        return True
    return not name or bool(find_define(scope, name) or find_class_near(scope, name))
