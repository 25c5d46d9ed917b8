"""Calls of functions in Puppet 3: by name, as a statement or for a value."""

from __future__ import annotations

from typing import Any

from bunraku.dialects.puppet_3 import issues
from bunraku.functions.declaration import BuiltinFunction
from bunraku.runtime.callables import Closure
from bunraku.runtime.state import Function, Scope
from bunraku.runtime.suggest import function_hint

Value = Any

STATEMENTS = frozenset(
    [
        "alert",
        "assert_private",
        "contain",
        "create_resources",
        "crit",
        "debug",
        "deprecation",
        "emerg",
        "ensure_packages",
        "ensure_resource",
        "ensure_resources",
        "err",
        "fail",
        "hiera_include",
        "include",
        "info",
        "notice",
        "private",
        "pry",
        "realize",
        "require",
        "search",
        "tag",
        "warning",
    ]
)
"""Functions without a value."""


def is_statement(name: str) -> bool:
    """Return whether a built-in function has no value; the validators of stdlib have none."""
    return name in STATEMENTS or name.startswith("validate_")


def call(scope: Scope, name: str, *arguments: Value, block: Closure | None = None) -> Value:
    """Evaluate ``name(arguments)`` where its value is used."""
    function = known(scope, name)
    if has_value(scope, function) is False:
        raise issues.NO_VALUE(name=name)
    return function.call(scope, plain(arguments), block)


def call_statement(
    scope: Scope, name: str, *arguments: Value, block: Closure | None = None
) -> Value:
    """Evaluate ``name(arguments)`` as a statement."""
    function = known(scope, name)
    if has_value(scope, function):
        raise issues.VALUE_NOT_USED(name=name)
    return function.call(scope, plain(arguments), block)


def has_value(scope: Scope, function: Function) -> bool | None:
    """Return whether a function has a value; None if this does not matter."""
    if isinstance(function, BuiltinFunction):
        return not is_statement(function.name)
    ask = getattr(function, "has_value", None)
    return None if ask is None else ask(scope)


def known(scope: Scope, name: str) -> Function:
    """Return the function of a name."""
    function: Function | None = scope.compilation.functions[name]
    if function is None:
        hint = function_hint(scope.compilation, name)
        raise issues.UNKNOWN_FUNCTION(name=name).hinted(hint)
    return function


def plain(arguments: tuple[Value, ...]) -> list[Value]:
    """Arguments as functions of Puppet 3 get them: undef is the empty string."""
    return ["" if value is None else value for value in arguments]
