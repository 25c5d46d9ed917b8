"""Parameters of classes and defined types: declared values, otherwise data, otherwise defaults."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.errors import PuppetError
from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.base.source import Place
from bunraku.runtime import issues
from bunraku.runtime.definitions import Body, DefinedParameter, Definition
from bunraku.runtime.markers import MISSING
from bunraku.runtime.references import SCALARS, declared
from bunraku.runtime.reserved_variables import NEVER_UNKNOWN, RESERVED
from bunraku.runtime.state import Compilation, DeclaredResource, Scope
from bunraku.runtime.tables import tabled_value
from bunraku.runtime.tags import add_further_tags, tag_list
from bunraku.types.mismatch import parameter_mismatch, unknown_parameter, with_problems
from bunraku.types.model import Type
from bunraku.types.parameters.constants import constant_type
from bunraku.types.relations.instance import checker, is_instance

Value = Any
Attributes = dict[str, Value]


def data_of_classes(_: Compilation) -> dict[str, Attributes]:
    """Return the parameters that classes have from data, by the names of the classes."""
    return {}


def look_up_parameters(
    compilation: Compilation, resource: DeclaredResource, definition: Definition, scope: Scope
) -> dict[str, Value]:
    """Return data for the parameters that are not given; in the catalog before all defaults."""
    given = resource.parameters.get
    names = [item.name for item in definition.parameters if given(item.name) is None]
    if not names:
        return {}
    found = compilation.loader.lookup_parameters(scope, definition.name, names)
    if found:
        compilation.extension(data_of_classes)[definition.name] = found
    resource.parameters.update((key, value) for key, value in found.items() if value is not None)
    return found


def reserved_parameter(definition: Definition, name: str, where_declared: bool) -> PuppetError:
    """Return the error for a parameter that has the name of a variable of the language."""
    reserved = f"${name}" in RESERVED
    issue = issues.ILLEGAL_RESERVED_ASSIGNMENT if reserved else issues.ILLEGAL_REASSIGNMENT
    error = issue(name=name)
    # An error of a define is reported at its declaration, that of a class at its definition.
    if definition.kind == "class" and not where_declared:
        return error.at(Place.of(definition))
    return error


ALREADY_SET = frozenset({"title", "name"})
put = dict.__setitem__


def fill_parameters(compilation: Compilation, resource: DeclaredResource, scope: Scope) -> None:
    """Set the parameters of a class or define: declared values, otherwise data, otherwise defaults."""
    definition = resource.definition
    assert definition is not None  # only classes and defined types have parameters
    given = resource.parameters
    if definition.match_variable is not None:
        error = issues.NUMERIC_PARAMETER(name=definition.match_variable)
        raise error.at(Place.of(definition))
    problems: list[str] = []
    if not definition.accepted.issuperset(given):
        names = definition.parameter_names
        unknown = (key for key in given if key not in definition.accepted)
        problems.extend(unknown_parameter(key, names) for key in unknown)
    set_given_variables(definition, resource, scope)
    looked_up: Attributes = {}
    if compilation.rules.blind_defaults:
        set_names(definition, resource, scope)
        looked_up = fill_blindly(compilation, resource, scope, problems)
    else:
        if definition.kind == "class":
            # The title of the class is not visible yet in data for parameters.
            looked_up = look_up_parameters(compilation, resource, definition, scope)
        set_names(definition, resource, scope)
        scope.awaited, scope.given = definition.variables, given
        if definition.unfit_names:
            check_names(compilation, definition)
        if definition.fill is not None:
            fill_in_order(resource, scope, definition.fill, looked_up, problems)
        scope.awaited = None
    if problems:
        error = issues.PARAMETERS(mismatch=with_problems(resource.reference, problems))
        raise error.hinted(data_hint(scope, definition, looked_up, problems))
    if "tag" in definition.parameter_names and given.get("tag") is not None:
        add_further_tags(resource, tag_list(given["tag"]))


def data_hint(
    scope: Scope, definition: Definition, looked_up: Attributes, problems: list[str]
) -> str | None:
    """Return the place of the data that parameters reject."""
    refused = [
        name
        for name in looked_up
        if any(problem.startswith(f"parameter '{name}' ") for problem in problems)
    ]
    if not refused:
        return None
    return scope.compilation.loader.data_origin(scope, definition.name, refused)


def set_given_variables(definition: Definition, resource: DeclaredResource, scope: Scope) -> None:
    """Set the variables that are not parameters: modules and metaparameters."""
    given = resource.parameters
    put(scope, "$module_name", definition.module_name)
    # The caller of a class that inherits is its parent, as in Puppet. Code that is in no module
    # has the empty name.
    if scope.caller is not None:
        put(scope, "$caller_module_name", scope.caller.module_name)
    if not METAPARAMETER_NAMES.isdisjoint(given):
        for key, value in given.items():
            if key in METAPARAMETER_NAMES and key not in definition.parameter_names:
                scope.set(key, value)


def set_names(definition: Definition, resource: DeclaredResource, scope: Scope) -> None:
    """Set ``$title`` and ``$name``."""
    title = definition.name if definition.kind == "class" else resource.title_value
    name = resource.parameters.get("name")
    put(scope, "$title", title)
    put(scope, "$name", title if name is None or name is False else name)


def fill_blindly(
    compilation: Compilation, resource: DeclaredResource, scope: Scope, problems: list[str]
) -> Attributes:
    """Do the same where parameters with a default are not visible in other defaults; return what data
    says of them.
    """
    definition = resource.definition
    assert definition is not None  # only classes and defined types have parameters
    given = resource.parameters
    for key in definition.parameter_names & given.keys():
        if given[key] is not None:
            scope.set(key, given[key])
    looked_up: Attributes = {}
    if definition.kind == "class":
        looked_up = look_up_parameters(compilation, resource, definition, scope)
    values: Attributes = {}
    for parameter in definition.parameters:
        key = parameter.name
        if parameter.variable in compilation.reserved:
            raise reserved_parameter(definition, key, True)
        value = given.get(key)
        if value is None:
            value = missing_value(resource, scope, parameter, looked_up, problems)
            if value is MISSING:
                continue
        value = accept(resource, scope, parameter, value, problems)
        if key in ALREADY_SET and key not in given:
            raise issues.ILLEGAL_REASSIGNMENT(name=key)
        values[parameter.variable] = value
    for variable, value in values.items():
        put(scope, variable, value)
    return looked_up


def check_names(compilation: Compilation, definition: Definition) -> None:
    """Refuse a parameter that has the name of a variable of the language."""
    for parameter in definition.parameters:
        if parameter.name in NEVER_UNKNOWN or parameter.variable in compilation.reserved:
            raise reserved_parameter(definition, parameter.name, False)


def fill_in_order(
    resource: DeclaredResource, scope: Scope, fill: Body, looked_up: Attributes, problems: list[str]
) -> None:
    """Let the definition's own code fill its parameters, each with those before it in sight."""
    assert resource.definition is not None  # only classes and defined types have parameters
    try:
        fill(scope, resource.parameters, looked_up, problems)
    except PuppetError as error:
        if not error.is_a(issues.PARAMETER_NOT_EVALUATED):
            note_default(error, scope.definition)
            raise
        # Raised again, so the error is at the declaration and not at the default.
        names = [item.name for item in resource.definition.parameters]
        raise early_access(resource.reference, names, scope.filling, error) from None


def early_access(reference: str, names: list[str], filling: str, error: PuppetError) -> PuppetError:
    """Return the error for a default that reads a parameter without a value.

    Puppet blames the declaration if that parameter comes before the one with the default.
    """
    other = error.message
    if names.index(other[1:]) < names.index(filling):
        return issues.NO_VALUE(reference=reference, name=other)
    return issues.EARLY_ACCESS(reference=reference, name=filling, other=other)


def absence(name: str) -> str:
    """Return the problem of a parameter without a value and without a default."""
    return f"expects a value for parameter '{name}'"


def note_default(error: PuppetError, definition: Definition | None) -> None:
    """Note the definition whose default failed: Puppet reports it for an error without a place."""
    in_puppet = error.diagnostic.in_puppet
    if in_puppet.form == "unplaced" and in_puppet.place is None and definition is not None:
        error.having_in_puppet(place=Place.of(definition))


def missing_value(
    resource: DeclaredResource,
    scope: Scope,
    parameter: DefinedParameter,
    looked_up: Attributes,
    problems: list[str],
) -> Value:
    """Return the value of a parameter that is absent or undef; MISSING if there is none."""
    if parameter.default is not None:
        return parameter.default(scope)
    if parameter.name not in looked_up and parameter.name not in resource.parameters:
        problems.append(absence(parameter.name))
        return MISSING
    return None


def accept(
    resource: DeclaredResource,
    scope: Scope,
    parameter: DefinedParameter,
    value: Value,
    problems: list[str],
) -> Value:
    """The value of a parameter as its code reads it, after the check; it is shown in the catalog."""
    if value.__class__ not in SCALARS:
        value = declared(value)
    problem = parameter.check(scope, value)
    if problem is not None:
        problems.append(problem)
    elif value is not None:
        resource.parameters[parameter.name] = value
    return value


# -- helpers of compiled code ----------------------------------------------------------------------


def absent_parameter(
    name: str, given: Attributes, looked_up: Attributes, problems: list[str]
) -> Value:
    """Return undef for a parameter that is given as undef and has no default, else MISSING."""
    if name in given or name in looked_up:
        return None
    problems.append(absence(name))
    return MISSING


def check_declared(name: str, type_: Value, value: Value, problems: list[str]) -> None:
    """Add the problem of a value that does not fit."""
    if not isinstance(type_, Type):
        return
    if value.__class__ not in SCALARS:
        value = declared(value)
    if is_instance(value, type_):
        return
    problem = parameter_mismatch(f"parameter '{name}'", type_, value)
    if problem is not None:
        problems.append(problem)


def set_parameter(scope: Scope, given: Attributes, names: tuple[str, str], value: Value) -> None:
    """Set the variable of a parameter, and its value in the catalog.

    A value that does not fit is set as well: the declaration fails after the last parameter.
    """
    name, variable = names
    if value.__class__ not in SCALARS:
        value = declared(value)
    if value is not None:
        given[name] = value
    put(scope, variable, value)


class Row(NamedTuple):
    """A parameter of a table: its names, its type with the check, and the pair of its default.

    A parameter without a default has ``...`` as its ``source``.
    """

    name: str
    variable: str
    type: Type | None
    check: Callable[[Value], bool] | None
    source: Any
    rest: Any


TABLES: BoundedCache[int, tuple[tuple[Any, ...], list[Row]]] = BoundedCache(
    "tables of parameters", 20_000
)
"""Tables as rows, by the identity of the constant in the code (its hash would walk over all of it)."""


def rows_of(table: tuple[Any, ...]) -> list[Row]:
    """Return a table of compiled code (``table_row`` of ``compiler/parameters.py``) as rows."""
    found = []
    for name, variable, key, *default in table:
        source, rest = default or (..., None)
        type_ = None if key is None else constant_type(key)
        check = None if type_ is None else checker(type_)
        found.append(Row(name, variable, type_, check, source, rest))
    TABLES.keep(id(table), (table, found))
    return found


def fill_table(
    scope: Scope,
    given: Attributes,
    looked_up: Attributes,
    problems: list[str],
    table: tuple[Any, ...],
) -> None:
    """Set parameters whose types no environment can change, and whose defaults are simple."""
    known = TABLES.get(id(table))
    rows = known[1] if known is not None and known[0] is table else rows_of(table)
    for name, variable, type_, check, source, rest in rows:
        value = given.get(name)
        if value is None:
            if source is None:
                value = rest
            elif source is ...:
                value = absent_parameter(name, given, looked_up, problems)
                if value is MISSING:
                    continue
            else:
                scope.filling = name
                value = tabled_value(scope, source, rest)
        if check is not None and not check(value):
            check_declared(name, type_, value, problems)
        if value.__class__ not in SCALARS:
            value = declared(value)
        if value is not None:
            given[name] = value
        put(scope, variable, value)
