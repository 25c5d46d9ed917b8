"""The names that compiled code may use: the only link from the emitter to the runtime.

A dialect replaces entries of this table (``Dialect.helpers``).
"""

from __future__ import annotations

from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.base.errors import PuppetError
from bunraku.runtime import (
    call,
    collect,
    control,
    declare,
    element_access,
    issues,
    markers,
    operators,
    override,
    parameters,
    relate,
    variables,
)
from bunraku.runtime.callables import Closure
from bunraku.runtime.state import Scope
from bunraku.runtime.suggest import type_hint
from bunraku.types.model import Type, TypeReferenceType
from bunraku.types.names import builtin_type
from bunraku.types.parameters.parameters import access_type
from bunraku.types.relations.equality import equal
from bunraku.types.relations.instance import checker
from bunraku.types.text.text import to_text
from bunraku.values.default import DEFAULT
from bunraku.values.keys import as_key
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.sensitive import Sensitive


def reference(scope: Scope, name: str) -> Type:
    """``Integer``, ``My::Type``, ``::My::Type``: a type by its name."""
    name = name.removeprefix("::")
    found = builtin_type(name) or scope.compilation.types.load_type(name)
    if found is None:
        error = issues.UNKNOWN_RESOURCE_TYPE(name=name)
        raise error.hinted(type_hint(scope.compilation, name))
    return found


@remembered(4096)
def constant_type(key: tuple[Any, ...]) -> Any:
    """Return a type that no environment can change, made once.

    ``key`` has its name, then its parameters; types among these are tuples of the same form.

    >>> constant_type(("optional", ("string", 1)))
    OptionalType(type=StringType(low=1, high=None, value=None))
    """
    name, *parameters = key
    found = builtin_type(name)
    assert found is not None  # the compiler emits no other names
    if not parameters:
        return found
    keys = [constant_type(one) if one.__class__ is tuple else one for one in parameters]
    return access_type(found, keys)


def reference_to(scope: Scope, key: tuple[str, ...]) -> Any:
    """Return ``My::Type`` or ``File['/a']``, made once a compile; ``key`` is its name and its titles."""
    found = scope.statics.get(key)
    if found is None:
        name, *titles = key
        try:
            found = reference(scope, name)
        except PuppetError as error:
            raise error.in_part("type") from None
        if titles:
            found = element_access.parameterize(scope, found, *titles)
        scope.statics[key] = found
    return found


def reference_in_alias(scope: Scope, name: str) -> Type:
    """Return a type by its name within a type alias, where an unknown name is not an error yet."""
    name = name.removeprefix("::")
    return builtin_type(name) or scope.compilation.types.load_type(name) or TypeReferenceType(name)


def text(value: Any) -> str:
    """Return a value as text for interpolation."""
    if value.__class__ is str:
        return value
    return str(value) if value.__class__ is int else to_text(value)


@remembered(4096)
def kept_regexp(pattern: str) -> Regexp:
    """Return a ``/pattern/``, made once, because its code may run many times."""
    return Regexp(pattern)


def rendered(value: object) -> object:
    """Return a value as text for a template; a Sensitive value makes the whole text Sensitive."""
    return value if value.__class__ is str or value.__class__ is Sensitive else to_text(value)


HELPERS: dict[str, Any] = {
    "__puppet__": True,
    "__builtins__": {"list": list},
    "bool": bool,
    "dict": dict,
    "float": float,
    "int": int,
    "Closure": Closure,
    "DEFAULT": DEFAULT,
    "MISSING": markers.MISSING,
    "NextIteration": control.NextIteration,
    "ReturnFromFunction": control.ReturnFromFunction,
    "UNSET": markers.UNSET,
    "absent_parameter": parameters.absent_parameter,
    "access": element_access.access,
    "access_many": element_access.access_many,
    "add": operators.add,
    "append": variables.refused,
    "any_option_matches": operators.any_option_matches,
    "as_key": as_key,
    "assign": variables.assign,
    "assign_element": variables.refused,
    "attribute_hash": declare.attribute_hash,
    "attributes": declare.attributes,
    "call": call.call,
    "call_statement": call.call,
    "call_method": call.call_method,
    "capture": variables.capture,
    "check_declared": parameters.check_declared,
    "check_parameter": call.check_parameter,
    "check_rest": call.check_rest,
    "checker": checker,
    "collect": collect.collect,
    "constant_type": constant_type,
    "contains": operators.contains,
    "declare": declare.declare,
    "destructure": call.destructure,
    "divide": operators.divide,
    "early_access": variables.early_access,
    "equal": equal,
    "fill_from_variable": parameters.fill_from_variable,
    "fill_plain_parameters": parameters.fill_plain_parameters,
    "first_value": variables.first_value,
    "greater": operators.greater,
    "greater_equal": operators.greater_equal,
    "illegal_query": collect.illegal_query,
    "keep": variables.keep,
    "less": operators.less,
    "less_equal": operators.less_equal,
    "list": list,
    "matches": operators.matches,
    "modulo": operators.modulo,
    "multiply": operators.multiply,
    "negate": operators.negate,
    "new": call.new,
    "not_matches": operators.not_matches,
    "option_matches": operators.option_matches,
    "other_query": collect.other_query,
    "override": override.override,
    "parameterize": element_access.parameterize,
    "raise_break": control.raise_break,
    "raise_next": control.raise_next,
    "raise_return": control.raise_return,
    "read_qualified": variables.read_qualified,
    "reference": reference,
    "reference_in_alias": reference_in_alias,
    "reference_to": reference_to,
    "regexp": kept_regexp,
    "relate": relate.relate,
    "search": operators.search,
    "searcher": operators.searcher,
    "str": str,
    "rendered": rendered,
    "required_after_optional": call.required_after_optional,
    "resource_type": declare.resource_type,
    "rest_or_default": call.rest_or_default,
    "returning_closure": call.returning_closure,
    "set_defaults": override.set_defaults,
    "set_parameter": parameters.set_parameter,
    "shift_left": operators.shift_left,
    "shift_right": operators.shift_right,
    "subtract": operators.subtract,
    "text": text,
    "titles": declare.title_list,
    "truthy": operators.truthy,
    "undef_in_query": collect.undef_in_query,
    "unequal": operators.unequal,
    "unfold": operators.unfold,
    "unmatched_selector": operators.unmatched_selector,
    "visible": variables.visible,
}
