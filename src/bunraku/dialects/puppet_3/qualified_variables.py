"""Variables by qualified name in Puppet 3."""

from __future__ import annotations

from typing import Any

from bunraku.runtime import issues
from bunraku.runtime.markers import MISSING
from bunraku.runtime.name_resolution import find_near, namespace
from bunraku.runtime.state import Compilation, Scope

Value = Any


def find_qualified(scope: Scope, name: str) -> Value:
    """``a::b``: the variable visible in the class under the last name; or MISSING."""
    compilation = scope.compilation
    around, _, variable = name.rpartition("::")
    if not around:
        found = compilation.top_scope.find(f"${variable}")
        if found is MISSING and scope.resource is compilation.top_scope.resource:
            warn_unknown(compilation, name, "")
        return found
    definition = find_near(compilation, around, "class", namespace(scope))
    full_name = around.removeprefix("::") if definition is None else definition.name
    inside = compilation.class_scopes.get(full_name)
    if inside is not None:
        return inside.find(f"${variable}")
    if full_name == "settings":
        return compilation.settings.get(variable, MISSING)
    state = "could not be found" if definition is None else "has not been evaluated"
    warn_unknown(compilation, name, f"class {around} {state}")
    return MISSING


def warn_unknown(compilation: Compilation, name: str, reason: str) -> None:
    """Tell of a qualified variable that is not there; with ``strict_variables`` it is an error."""
    if not compilation.strict_variables:
        text = f"Could not look up qualified variable '{name}'; {reason}"
        compilation.messages.warn(issues.UNKNOWN_VARIABLE.code, text)
