"""Reading and assigning variables: helpers of compiled code."""

from __future__ import annotations

from typing import Any, NoReturn

from bunraku.runtime import issues
from bunraku.runtime.markers import MISSING, UNSET
from bunraku.runtime.state import Scope

Value = Any


def assign(scope: Scope, key: str, value: Value) -> Value:
    """Evaluate ``$x = value`` inside an expression."""
    scope[key] = value
    return value


def refused(_scope: Scope, *operands: Value) -> NoReturn:
    """Raise an error for an assignment that the checker refuses: appending, changing a hash."""
    raise issues.ILLEGAL_REASSIGNMENT(name=str(operands[0]).removeprefix("$"))


def early_access(parameter: tuple[str, str], name: str) -> NoReturn:
    """Raise the error for a default that reads its own or a later parameter."""
    reference, of = parameter
    raise issues.EARLY_ACCESS(reference=reference, name=of, other=f"${name}").in_part("caller")


def check_reserved(scope: Scope, name: str) -> None:
    """Refuse a parameter of a function or lambda that has the name of a variable of the language."""
    if f"${name}" in scope.compilation.reserved:
        raise issues.ILLEGAL_RESERVED_ASSIGNMENT(name=name).in_part("caller")


def first_value(current: Value, value: Value, name: str) -> Value:
    """Return the value for a fast local that must be unassigned."""
    if current is not UNSET:
        raise issues.ILLEGAL_REASSIGNMENT(name=name)
    return value


def read_qualified(scope: Scope, name: str) -> Value:
    """Evaluate ``$a::b`` or ``$::b``."""
    compilation = scope.compilation
    found = compilation.find_qualified(name, scope)
    return compilation.unknown_variable(name, scope) if found is MISSING else found


def visible(scope: Scope, variables: dict[str, Value], captures: list[Any] | None = None) -> Scope:
    """Return a scope with fast locals and captures, for a function that reads variables."""
    inner = Scope(scope.compilation, scope, scope, scope.resource, scope.definition)
    inner.is_view = True
    inner.captures = captures[0] if captures else scope.captures
    for key, value in variables.items():
        if value is not UNSET:
            dict.__setitem__(inner, key, value)
    return inner


def capture(cell: list[Any] | None, number: int) -> Value:
    """Evaluate ``$0``, ``$1``, …: a group of the last match; undef without one."""
    if cell is None or cell[0] is None:
        return None
    groups: tuple[str | None, ...] = cell[0]
    return groups[number] if number < len(groups) else None


def keep(scope: Scope, key: str, value: Value) -> Value:
    """Remember a value that is the same all through the compile."""
    scope.statics[key] = value
    return value
