"""Parameters of classes and defined types: as declared, else from data, else by default."""

from __future__ import annotations

from typing import Any

from bunraku.catalog.model import Resource
from bunraku.errors import PuppetError
from bunraku.runtime import issues
from bunraku.runtime.access import declared
from bunraku.runtime.compilation import METAPARAMETERS, NEVER_UNKNOWN, Compilation, located
from bunraku.runtime.definitions import DefinedParameter, Definition
from bunraku.runtime.scope import RESERVED, Scope
from bunraku.types.mismatch import unknown_parameter, with_problems

Value = Any
Attributes = dict[str, Value]


def default_value(scope: Scope, resource: Resource, parameter: DefinedParameter) -> Value:
    """The value of a parameter's default expression, which may use the parameters before it."""
    assert parameter.default is not None  # asked only for those that have one
    try:
        return parameter.default(scope)
    except PuppetError as error:
        if error.code != issues.PARAMETER_NOT_EVALUATED.code:
            raise
        # Raised anew, so that the declaration is to blame and not the default.
        raise issues.EARLY_ACCESS(
            reference=resource.reference, name=parameter.name, other=error.message
        ) from None


def look_up_parameters(
    compilation: Compilation, resource: Resource, scope: Scope
) -> dict[str, Value]:
    """What data says of the parameters that are not given; in the catalog before all defaults."""
    found: dict[str, Value] = {}
    for parameter in resource.definition.parameters:
        key = parameter.name
        if resource.parameters.get(key) is None:
            known, value = compilation.loader.lookup_parameter(scope, resource.definition.name, key)
            if known:
                found[key] = value
    resource.parameters.update((key, value) for key, value in found.items() if value is not None)
    return found


def reserved_parameter(definition: Definition, name: str, where_declared: bool) -> PuppetError:
    """The error for a parameter that has the name of a variable of the language."""
    reserved = f"${name}" in RESERVED
    issue = issues.ILLEGAL_RESERVED_ASSIGNMENT if reserved else issues.ILLEGAL_REASSIGNMENT
    error = issue(name=name)
    # A define is to blame where it is declared, a class where it is defined.
    if definition.kind == "class" and not where_declared:
        return located(error, definition.file, definition.line)
    return error


ALREADY_SET = frozenset({"title", "name"})


def fill_parameters(compilation: Compilation, resource: Resource, scope: Scope) -> None:
    """Give a class or define its parameters: as declared, else from data, else by default."""
    definition: Definition = resource.definition
    given = resource.parameters
    if definition.match_variable is not None:
        error = issues.NUMERIC_PARAMETER(name=definition.match_variable)
        raise located(error, definition.file, definition.line)
    is_class = definition.kind == "class"
    name = definition.name if is_class else resource.title_value
    problems = [
        unknown_parameter(key, definition.parameter_names)
        for key in given
        if key not in definition.parameter_names and key not in METAPARAMETERS and key != "name"
    ]
    scope.set("title", name)
    scope.set("name", name if is_class else given.get("name", name))
    if definition.module_name:
        scope.set("module_name", definition.module_name)
    # The caller of a class that inherits is its parent, as Puppet sees it.
    if scope.caller is not None and scope.caller.module_name:
        scope.set("caller_module_name", scope.caller.module_name)
    for key, value in given.items():
        if key in METAPARAMETERS and key not in definition.parameter_names:
            scope.set(key, value)
    blind = compilation.rules.blind_defaults
    defaults: Attributes = {}
    if blind:
        for key in definition.parameter_names & given.keys():
            if given[key] is not None:
                scope.set(key, given[key])
    else:
        scope.awaited = {f"${parameter.name}" for parameter in definition.parameters}
    looked_up = look_up_parameters(compilation, resource, scope) if is_class else {}
    for parameter in definition.parameters:
        key = parameter.name
        if f"${key}" in compilation.reserved or (key in NEVER_UNKNOWN and not blind):
            raise reserved_parameter(definition, key, blind)
        value = given.get(key)
        known = value is not None or key in looked_up
        if not known or value is None:
            if parameter.default is not None:
                value = default_value(scope, resource, parameter)
            elif not known and key not in given:
                problems.append(f"expects a value for parameter '{key}'")
                continue
        value = declared(value)
        problem = parameter.check(scope, value)
        if problem is not None:
            problems.append(problem)
        elif value is not None:
            given[key] = value
        if blind:
            if key in ALREADY_SET and key not in given:
                raise issues.ILLEGAL_REASSIGNMENT(name=key)
            defaults[key] = value
        else:
            scope.set(key, value)
            if scope.awaited is not None:
                scope.awaited.discard(f"${key}")
    for key, value in defaults.items():
        scope.set(key, value)
    scope.awaited = None
    if problems:
        raise issues.PARAMETERS(text=with_problems(resource.reference, problems))
