"""The names that compiled code of `parser = future` of Puppet 3.8 may use: what differs from Puppet 8."""

from __future__ import annotations

from typing import Any

from bunraku.records import replace
from bunraku.runtime import abi, collect, puppet3
from bunraku.runtime.future import operators, references

__all__ = ["HELPERS", "RULES"]

RULES = replace(puppet3.RULES, relative_defines=True)

HELPERS: dict[str, Any] = {
    **abi.HELPERS,
    "__puppet__": "3.8-future",
    "access": operators.access,
    "access_many": operators.access_many,
    "add": operators.add,
    "divide": operators.divide,
    "modulo": operators.modulo,
    "multiply": operators.multiply,
    "negate": operators.negate,
    "reference": references.reference,
    "shift_left": operators.shift_left,
    "shift_right": operators.shift_right,
    "subtract": operators.subtract,
    "undef_in_query": collect.illegal_query,
}
