"""Variables of Puppet 3: reading by qualified name, and appending."""

from __future__ import annotations

from typing import Any

from bunraku.dialects.puppet_3 import issues
from bunraku.runtime import issues as runtime_issues
from bunraku.runtime import variables
from bunraku.runtime.markers import MISSING
from bunraku.runtime.name_resolution import find_class
from bunraku.runtime.operators import kind_name
from bunraku.runtime.state import Scope, current_scope
from bunraku.runtime.suggest import variable_hint

Value = Any


def read_qualified(scope: Scope, name: str) -> Value:
    """Evaluate ``$a::b`` or ``$::b``: the variable that is visible in that class under the last name."""
    namespace, _, variable = name.rpartition("::")
    namespace = namespace.removeprefix("::")
    if not namespace:
        found = scope.compilation.top_scope.find(f"${variable}")
        return not_found(scope, name, "") if found is MISSING else found
    definition = find_class(scope, shown(name))
    if definition is None:
        if namespace == "settings":
            return scope.compilation.settings.get(variable)
        return not_found(scope, name, f"class {shown(name)} could not be found")
    inside = scope.compilation.class_scopes.get(definition.name)
    if inside is None:
        return not_found(scope, name, f"class {shown(name)} has not been evaluated")
    found = inside.find(f"${variable}")
    if found is MISSING:
        return scope.compilation.unknown_variable(name) if strict(scope) else None
    return found


def shown(name: str) -> str:
    """Return the namespace of a name, as written."""
    return name.rpartition("::")[0]


def strict(scope: Scope) -> bool:
    """Return whether unknown variables are errors."""
    return bool(scope.compilation.strict_variables)


def capture(cell: list[Any] | None, group: int) -> Value:
    """``$0``, ``$1``, …: a group of the last match; without one undef, or an error when strict."""
    found = variables.capture(cell, group)
    if found is None and (cell is None or cell[0] is None or group >= len(cell[0])):
        scope = current_scope()
        if scope is not None and scope.compilation.strict_variables:
            raise runtime_issues.UNKNOWN_VARIABLE(name=group)
    return found


def not_found(scope: Scope, name: str, reason: str) -> Value:
    """Report an error with ``strict_variables``, else a warning; the value is undef."""
    compilation = scope.compilation
    if compilation.strict_variables:
        hint = variable_hint(compilation, name, scope)
        raise runtime_issues.UNKNOWN_VARIABLE(name=name).hinted(hint)
    if reason or scope.resource is compilation.top_scope.resource:
        text = f"Could not look up qualified variable '{name}'; {reason}"
        compilation.messages.warn(runtime_issues.UNKNOWN_VARIABLE.code, text)
    return None


def assign(scope: Scope, key: str, value: Value) -> Value:
    """Evaluate ``$x = value``; match variables cannot be assigned."""
    if key[1:].isdigit():
        raise issues.NUMERIC_NAME(name=key[1:])
    scope[key] = value
    return value


def append(scope: Scope, key: str, value: Value) -> Value:
    """Evaluate ``$x += value``: a new variable here, that of outside and more."""
    if key[1:].isdigit():
        raise issues.NUMERIC_NAME(name=key[1:])
    if key in scope:
        raise issues.APPENDED_HERE(name=key[1:])
    found = scope.find(key)
    result = joined("" if found is MISSING or found is None else found, value)
    scope[key] = result
    return result


def joined(old: Value, new: Value) -> Value:
    """Return the sum of two texts, arrays, hashes or numbers; other pairs are errors."""
    kinds = old.__class__, new.__class__
    if kinds == (list, list):
        return [*old, *new]
    if kinds == (dict, dict):
        return {**old, **new}
    if kinds == (str, str) or (kinds[0] in NUMBERS and kinds[1] in NUMBERS):
        return old + new
    raise issues.CANNOT_APPEND(new=kind_name(new), old=kind_name(old))


NUMBERS = frozenset({int, float})
