"""The names that compiled code may use: the only link from the emitter to the runtime.

A dialect replaces entries of this table (``Dialect.helpers``).
"""

from __future__ import annotations

from typing import Any

from bunraku.runtime import (
    call,
    collect,
    control,
    declare,
    element_access,
    markers,
    named_types,
    operators,
    override,
    parameters,
    relate,
    tables,
    timed,
    variables,
)
from bunraku.runtime.callables import Closure
from bunraku.types.parameters.constants import constant_type
from bunraku.types.relations.equality import equal
from bunraku.types.relations.instance import checker
from bunraku.types.value_text import to_text
from bunraku.values.default import DEFAULT
from bunraku.values.keys import as_key
from bunraku.values.sensitive import Sensitive


def text(value: Any) -> str:
    """Return a value as text for interpolation."""
    if value.__class__ is str:
        return value
    return str(value) if value.__class__ is int else to_text(value)


def rendered(value: object) -> object:
    """Return a value as text for a template; a Sensitive value makes the whole text Sensitive."""
    return value if value.__class__ is str or value.__class__ is Sensitive else to_text(value)


HELPERS: dict[str, Any] = {
    "__puppet__": True,
    "__builtins__": {"list": list},
    "begin_timed": timed.begin_timed,
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
    "assign_table": tables.assign_table,
    "assign_timed": timed.assign_timed,
    "assign_element": variables.refused,
    "attribute_hash": declare.attribute_hash,
    "attributes": declare.attributes,
    "call": call.call,
    "call_statement": call.call,
    "call_method": call.call_method,
    "control_method": call.control_method,
    "capture": variables.capture,
    "check_declared": parameters.check_declared,
    "check_parameter": call.check_parameter,
    "check_reserved": variables.check_reserved,
    "check_rest": call.check_rest,
    "checker": checker,
    "collect": collect.collect,
    "constant_type": constant_type,
    "contains": operators.contains,
    "declare": declare.declare,
    "declare_table": declare.declare_table,
    "destructure": call.destructure,
    "divide": operators.divide,
    "early_access": variables.early_access,
    "equal": equal,
    "fill_table": parameters.fill_table,
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
    "reference": named_types.reference,
    "reference_in_alias": named_types.reference_in_alias,
    "reference_to": named_types.reference_to,
    "regexp": named_types.kept_regexp,
    "relate": relate.relate,
    "search": operators.search,
    "searcher": operators.searcher,
    "str": str,
    "rendered": rendered,
    "invalid_type": call.invalid_type,
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
    "timed": timed.timed,
    "titles": declare.title_list,
    "type_table": named_types.type_table,
    "truthy": operators.truthy,
    "undef_in_query": collect.undef_in_query,
    "unequal": operators.unequal,
    "unfold": operators.unfold,
    "unmatched_selector": operators.unmatched_selector,
    "visible": variables.visible,
}
