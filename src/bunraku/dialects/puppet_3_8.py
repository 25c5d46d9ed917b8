"""The names that compiled code of Puppet 3 may use: what differs from Puppet 8."""

from __future__ import annotations

from typing import Any

from bunraku.base.records import replace
from bunraku.dialects.puppet_3 import (
    access,
    calls,
    collect,
    operators,
    resources,
    values,
    variables,
)
from bunraku.dialects.puppet_3.catalog_values import RULES as COMMON
from bunraku.runtime import helpers

__all__ = ["HELPERS", "RULES"]

RULES = replace(
    COMMON,
    catalog_value=resources.catalog_value,
    relative_names=True,
    sets_node_variables=True,
    old_templates=True,
)

HELPERS: dict[str, Any] = {
    **helpers.HELPERS,
    "__puppet__": "3.8",
    "access": access.access,
    "add": operators.add,
    "append": variables.append,
    "assign_element": access.assign_element,
    "assign": variables.assign,
    "call": calls.call,
    "call_statement": calls.call_statement,
    "capture": variables.capture,
    "collect": collect.collect,
    "contains": operators.contains,
    "declare": resources.declare,
    "divide": operators.divide,
    "equal": operators.equal,
    "greater": operators.greater,
    "greater_equal": operators.greater_equal,
    "less": operators.less,
    "less_equal": operators.less_equal,
    "matches": operators.matches,
    "modulo": operators.modulo,
    "multiply": operators.multiply,
    "negate": operators.negate,
    "not_matches": operators.not_matches,
    "option_matches": operators.option_matches,
    "other_query": collect.other_query,
    "override": resources.override,
    "parameterize": access.parameterize,
    "read_qualified": variables.read_qualified,
    "reference": access.reference,
    "shift_left": operators.shift_left,
    "shift_right": operators.shift_right,
    "subtract": operators.subtract,
    "text": values.text,
    "titles": resources.titles,
    "truthy": values.truthy,
    "unequal": operators.unequal,
    "unmatched_selector": operators.unmatched_selector,
}
