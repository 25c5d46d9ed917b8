"""The names that compiled code of `parser = future` of Puppet 3.8 may use: what differs from Puppet 8."""

from __future__ import annotations

from typing import Any

from bunraku.base.records import replace
from bunraku.dialects.puppet_3 import catalog_values, future_operators, future_references
from bunraku.runtime import collect, helpers

__all__ = ["HELPERS", "RULES"]

RULES = replace(catalog_values.RULES, relative_defines=True)

HELPERS: dict[str, Any] = {
    **helpers.HELPERS,
    "__puppet__": "3.8-future",
    "access": future_operators.access,
    "access_many": future_operators.access_many,
    "add": future_operators.add,
    "divide": future_operators.divide,
    "modulo": future_operators.modulo,
    "multiply": future_operators.multiply,
    "negate": future_operators.negate,
    "reference": future_references.reference,
    "shift_left": future_operators.shift_left,
    "shift_right": future_operators.shift_right,
    "subtract": future_operators.subtract,
    "undef_in_query": collect.illegal_query,
}
