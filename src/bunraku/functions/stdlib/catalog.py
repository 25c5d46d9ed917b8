"""Functions on the catalog: ensure that resources exist, read their attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.api_3 import Api3Table, need_hash, unsuitable
from bunraku.functions.stdlib import issues
from bunraku.runtime.markers import MISSING
from bunraku.runtime.state import Scope
from bunraku.types.builtin import is_deferred, make_deferred
from bunraku.types.model import ClassType, ResourceType
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.values.keys import make_hash
from bunraku.values.ruby_semantics.collections import entries, flatten, same, truthy
from bunraku.values.ruby_semantics.texts import kind_name

Value = Any
function = Api3Table()
older = Api3Table()
newest = Api3Table()
wider = Api3Table()

REFERENCE = lazy_pattern(r"\A([^\[\]]+)\[(.+)\]\Z", re.DOTALL)


def type_and_title(reference: Value, name: str) -> tuple[str, str]:
    """Return the type and the title that a reference, or the text of one, names."""
    if isinstance(reference, ClassType) and reference.name:
        return "class", reference.name
    if isinstance(reference, ResourceType):
        return reference.type_name or "", reference.title or ""
    found = REFERENCE.match(to_s(reference))
    if found is None:
        raise issues.INVALID_REFERENCE(name=name, reference=inspect(to_s(reference)))
    return found[1].removeprefix("::").lower(), found[2]


def candidates(scope: Scope, reference: Value) -> Iterable[Any]:
    """Return the resources that a reference may mean: all of a type without a title."""
    name = "defined_with_params"
    if not isinstance(reference, str | ClassType | ResourceType):
        raise issues.NOT_A_REFERENCE(name=name, actual=kind_name(reference))
    type_name, title = type_and_title(reference, name)
    if title:
        found = scope.compilation.catalog.find(type_name, title)
        return [] if found is None else [found]
    resources = scope.compilation.catalog.resources
    return [resource for resource in resources if resource.type.lower() == type_name]


def attribute(scope: Scope, resource: Any, name: Value) -> Value:
    """Return an attribute of a resource, resource defaults counted; undef when it has none."""
    key = to_s(name)
    if key == "title":
        return resource.title
    value = scope.compilation.catalog.parameter(resource, key)
    return None if value is MISSING else value


def is_defined(scope: Scope, reference: Value, parameters: Value) -> bool:
    """Return whether a resource exists whose parameters have the given values."""
    for resource in candidates(scope, reference):
        if resource is scope.resource:
            continue
        wanted = {} if parameters == "" else need_hash(parameters, "defined_with_params", 1)
        if all(same(attribute(scope, resource, key), value) for key, value in entries(wanted)):
            return True
    return False


@function.api_3("defined_with_params", 0, scope=True, since="2.5.0")
def defined_with_params(
    scope: Scope, reference: Value = None, parameters: Value = "", *_: Value
) -> bool:
    """Return whether a resource exists that has parameters with given values.

    ```puppet
    !defined_with_params('User[nobody]', {'uid' => 1})
    ```
    """
    if not truthy(reference):
        raise issues.REFERENCE_MISSING(name="defined_with_params")
    return is_defined(scope, reference, parameters if truthy(parameters) else "")


def ensure(scope: Scope, type_name: Value, title: Value, parameters: Value) -> None:
    """Declare a resource for each title that has none with these parameters."""
    for item in flatten([title]):
        reference = f"{to_s(type_name)}[{to_s(item)}]"
        if is_defined(scope, reference, parameters):
            text = f"Resource {reference} with params {to_s(parameters)} already exists"
            scope.compilation.messages.log("debug", text)
            continue
        if type_name.__class__ is not str:
            raise unsuitable("ensure_resource", 0, "a String", type_name)
        resources = make_hash([(item, need_hash(parameters, "ensure_resource", 2))])
        scope.compilation.call_function(scope, "create_resources", [type_name.lower(), resources])


@function.api_3("ensure_resource", 0, scope=True, since="2.5.0")
def ensure_resource(
    scope: Scope, type_name: Value = None, title: Value = None, parameters: Value = None, *_: Value
) -> None:
    """Declare resources unless there are such with the same parameters.

    ```puppet
    ensure_resource('user', 'dan', {'ensure' => 'present'}) == undef
    ```
    """
    if not truthy(type_name):
        raise issues.TYPE_MISSING(name="ensure_resource")
    if not truthy(title):
        raise issues.TITLE_MISSING(name="ensure_resource")
    ensure(scope, type_name, title, parameters if truthy(parameters) else {})


@function.api_3("ensure_resources", 0, scope=True, since="4.12.0")
def ensure_resources(
    scope: Scope, type_name: Value = None, titles: Value = None, defaults: Value = None, *_: Value
) -> None:
    """Declare the resources of a hash unless there are such with the same parameters.

    ```puppet
    ensure_resources('user', {'dan' => {'uid' => 600}}, {'ensure' => 'present'}) == undef
    ```
    """
    name = "ensure_resources"
    if not truthy(type_name):
        raise issues.TYPE_MISSING(name=name)
    common = need_hash(defaults, name, 2) if truthy(defaults) else {}
    for title, own in entries(need_hash(titles, name, 1)):
        parameters = {**common, **need_hash(own, name, 1)} if truthy(own) else common
        ensure(scope, type_name, title, parameters)


PACKAGES = "Variant[String[1], Array[String[1]], Hash[String[1], Any]] $packages"


def ensure_all_packages(
    scope: Scope, packages: Value, defaults: dict[Any, Value], usual: str, other: str
) -> None:
    """Declare packages; two names of the same state count as one."""
    merged = {"ensure": usual, **defaults}
    if merged["ensure"] == other:
        merged["ensure"] = usual
    call = scope.compilation.call_function
    if packages.__class__ is dict:
        call(scope, "ensure_resources", ["package", packages, merged])
        return
    for package in [packages] if packages.__class__ is str else packages:
        call(scope, "ensure_resource", ["package", package, merged])


@function(
    f"ensure_packages({PACKAGES}, Hash $defaults = {{}})", scope=True, since="8.3.0", until="8.5.0"
)
def ensure_packages(scope: Scope, packages: Value, defaults: Value = None) -> None:
    """Declare packages as installed unless there are such with the same parameters.

    ```puppet
    ensure_packages(['ksh', 'zsh'], {'ensure' => 'present'}) == undef
    ```
    """
    ensure_all_packages(scope, packages, defaults or {}, "installed", "present")


def old_packages(scope: Scope, arguments: tuple[Value, ...], usual: str, other: str) -> None:
    """``ensure_packages`` as it was while of the old kind."""
    name = "ensure_packages"
    packages, *rest = arguments
    defaults = need_hash(rest[0], name, 1) if rest else {}
    if packages.__class__ is not dict:
        packages = flatten([packages])
        if "" in packages:
            raise issues.EMPTY_PACKAGE_NAME(name=name)
    ensure_all_packages(scope, packages, defaults, usual, other)


@wider.api_3("ensure_packages", 1, 2, scope=True, since="8.0.0", until="8.2.0")
def wider_ensure_packages(scope: Scope, *arguments: Value) -> None:
    """Declare packages as installed unless there are such with the same parameters."""
    old_packages(scope, arguments, "installed", "present")


@older.api_3("ensure_packages", 1, 2, scope=True, since="2.6.0", until="7.1.0")
def older_ensure_packages(scope: Scope, *arguments: Value) -> None:
    """Declare packages as present unless there are such with the same parameters."""
    old_packages(scope, arguments, "present", "installed")


def ensure_package(scope: Scope, package: str, defaults: dict[Any, Value]) -> None:
    """Declare a package in the state that one already declared may have."""
    merged = {"ensure": "installed", **defaults}
    if merged["ensure"] in {"present", "installed"}:
        present = is_defined(scope, f"Package[{package}]", {"ensure": "present"})
        merged["ensure"] = "present" if present else "installed"
    scope.compilation.call_function(scope, "ensure_resource", ["package", package, merged])


NEW_PACKAGES = "Variant[String[1], Array[String[1]]] $packages, Hash $defaults = {}"
NEW_HASH = "Hash[String[1], Any] $packages, Hash $defaults = {}"


@newest(f"ensure_packages({NEW_PACKAGES})", scope=True, since="8.6.0", until="8.6.0")
@newest(f"stdlib::ensure_packages({NEW_PACKAGES})", scope=True, since="9.0.0")
def newest_ensure_packages(scope: Scope, packages: Value, defaults: Value = None) -> None:
    """Declare packages as installed unless there are such with the same parameters.

    ```puppet
    stdlib::ensure_packages(['ksh', 'zsh'], {'ensure' => 'present'}) == undef
    ```
    """
    for package in [packages] if packages.__class__ is str else packages:
        ensure_package(scope, package, defaults or {})


@newest(f"ensure_packages({NEW_HASH})", f"stdlib::ensure_packages({NEW_HASH})", scope=True)
def newest_ensure_packages_of_hash(scope: Scope, packages: Value, defaults: Value = None) -> None:
    """Declare the packages of a hash, each with its own parameters."""
    for package, own in entries(packages):
        ensure_package(scope, package, {**(defaults or {}), **need_hash(own, "ensure_packages")})


@function.api_3("getparam", 0, scope=True, since="4.0.0")
def getparam(scope: Scope, reference: Value = None, parameter: Value = None, *_: Value) -> Value:
    """Return a parameter of a resource, or the empty string when it has none.

    ```puppet
    getparam(User['nobody'], 'uid') == ''
    ```
    """
    if not truthy(reference):
        raise issues.REFERENCE_MISSING(name="getparam")
    if parameter.__class__ is not str:
        raise unsuitable("getparam", 1, "the name of a parameter", parameter)
    if not parameter:
        return ""
    type_name, title = type_and_title(reference, "getparam")
    if not title:
        raise issues.UNTITLED_REFERENCE(name="getparam")
    resource = scope.compilation.catalog.find(type_name, title)
    value = None if resource is None else attribute(scope, resource, parameter)
    return "" if value is None else value


@function("stdlib::str2resource(String $reference)", scope=True, since="8.2.0")
def str2resource(scope: Scope, text: str) -> Value:
    """Return the reference that a text names, to a resource that exists already."""
    type_name, title = type_and_title(text, "stdlib::str2resource")
    resource = scope.compilation.catalog.find(type_name, title)
    if resource is None:
        raise issues.UNKNOWN_RESOURCE(reference=text)
    if type_name == "class":
        return ClassType(resource.title.lower())
    return ResourceType(type_name, resource.title)


# -- private classes -------------------------------------------------------------------------------
def refuse_strangers(scope: Scope, message: Value) -> None:
    """Complain when the class or define was declared from another module."""
    inside = scope.definition is not None
    if inside and scope.lookup("module_name", "") == scope.lookup("caller_module_name", ""):
        return
    if message.__class__ is str:
        raise issues.PRIVATE(message=message)
    definition = scope.definition
    kind = "Definition" if definition is not None and definition.kind == "define" else "Class"
    name = "" if definition is None else definition.name
    raise issues.IS_PRIVATE(kind=kind, name=name)


@function.api_3("assert_private", 0, 1, scope=True, since="4.6.0")
def assert_private(scope: Scope, message: Value = None) -> None:
    """Fail when the class or define around was declared from another module."""
    refuse_strangers(scope, message)


@function.api_3("private", 0, scope=True, since="4.4.0", until="8.6.0")
def private(scope: Scope, *messages: Value) -> None:
    """Fail when the class or define around was declared from another module; deprecated."""
    text = "private() is deprecated, use assert_private() or the keyword of the language"
    scope.compilation.messages.log("warning", text, scope)
    refuse_strangers(scope, messages[0] if messages else None)


# -- states ----------------------------------------------------------------------------------------
STATES = {
    "package": ("installed", "absent"),
    "service": ("running", "stopped"),
}
KINDS = "Enum['directory', 'link', 'mounted', 'service', 'file', 'package'] $kind"
STATE = "Variant[Boolean, Enum['present', 'absent']] $ensure"


@newest(
    f"stdlib::ensure({STATE}, Optional[{KINDS.removesuffix(' $kind')}] $kind = undef)",
    since="9.0.0",
    api="pp",
)
@function(f"stdlib::ensure({STATE}, {KINDS})", since="6.6.0", until="8.6.0", api="pp")
def ensure_value(state: Value, kind: Value = None) -> str:
    """Convert a Boolean or 'present' to the word for it in a type of resource.

    ```puppet
    stdlib::ensure(true, 'file') == 'file'
    stdlib::ensure('absent', 'service') == 'stopped'
    ```
    """
    there = state is True or state == "present"
    if kind is None:
        return "present" if there else "absent"
    if kind in STATES:
        return STATES[kind][0] if there else STATES[kind][1]
    return str(kind) if there else "absent"


def rendered(
    scope: Scope, template: str, variables: dict[Any, Value], values: Iterable[Value]
) -> Value:
    """Return a template's text, or the call that makes it on the agent when a value is deferred.

    The function is written in the Puppet language, so its calls run in the top scope.
    """
    call = scope.compilation.call_function
    scope = scope.compilation.top_scope
    if any(map(is_deferred, values)):
        text = call(scope, "file", [call(scope, "find_template", [template])])
        return make_deferred("inline_epp", [text, variables])
    return call(scope, "epp", [template, variables])


@function(
    "stdlib::deferrable_epp(String $template, Hash $variables)",
    scope=True,
    since="8.4.0",
    until="9.0.0",
    api="pp",
)
def deferrable_epp(scope: Scope, template: str, variables: dict[Any, Value]) -> Value:
    """Render an EPP template, on the agent when a variable is deferred."""
    return rendered(scope, template, variables, variables.values())


def all_values(variables: Value) -> Iterable[Value]:
    """Yield the values in a hash and in the hashes in it."""
    for value in variables.values():
        if value.__class__ is dict:
            yield from all_values(value)
        else:
            yield value


@newest(
    "stdlib::deferrable_epp(String $template, Hash $variables)", scope=True, since="9.1.0", api="pp"
)
def newest_deferrable_epp(scope: Scope, template: str, variables: dict[Any, Value]) -> Value:
    """Render an EPP template, on the agent when a variable, or part of one, is deferred."""
    return rendered(scope, template, variables, all_values(variables))
