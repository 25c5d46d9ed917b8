"""The functions of OpenVox 9: those of Puppet 8, and those with another signature."""

from __future__ import annotations

from bunraku.base.records import replace
from bunraku.dialects.function_modules import dialect_module
from bunraku.functions.core import regular_expressions
from bunraku.functions.core.regular_expressions import REGEXP_HEADER, REPLACEMENT, TARGET
from bunraku.functions.declaration import FunctionTable
from bunraku.functions.registry import PUPPET_8
from bunraku.runtime.callables import Value
from bunraku.runtime.state import Scope

function = FunctionTable()

PUPPET_9 = replace(PUPPET_8, core={**PUPPET_8.core, "regsubst": __name__}, load=dialect_module)


@function(
    f"regsubst({TARGET}, String $pattern, {REPLACEMENT}, "
    "Optional[Pattern[/^[GEIM]*$/]] $flags = undef)",
    scope=True,
    since="0.24.8",
)
def regsubst(
    scope: Scope, target: Value, pattern: str, replacement: Value, flags: str | None = None
) -> Value:
    """Return a string (or each of an array) with the first match of a pattern, or all, replaced."""
    return regular_expressions.regsubst(scope, target, pattern, replacement, flags)


function(REGEXP_HEADER)(regular_expressions.regsubst_regexp)
