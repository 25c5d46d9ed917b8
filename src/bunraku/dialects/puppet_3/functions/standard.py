"""Functions of the standard library as Puppet 3 calls them: undef inside arrays is a symbol."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.functions.declaration import BuiltinFunction
from bunraku.runtime.callables import Closure, Value
from bunraku.runtime.state import Scope
from bunraku.values.keys import make_hash, pairs
from bunraku.values.ruby_object import UNDEF

LOOK_FOR_UNDEF = frozenset(
    {
        "assert_private",
        "defined_with_params",
        "delete_undef_values",
        "ensure_packages",
        "ensure_resource",
        "ensure_resources",
        "getparam",
        "join_keys_to_values",
        "private",
    }
)
"""Functions that take undef out themselves, or hand values on to the catalog."""


class SymbolFunction(BuiltinFunction):
    """A function of the library that gets undef inside arrays and hashes as a symbol."""

    __slots__ = ()

    def call(self, scope: Scope, arguments: Sequence[Value], block: Closure | None = None) -> Value:
        """Run the function; symbols in its value are undef again."""
        given = ["" if value is None else symbols(value) for value in arguments]
        return values(BuiltinFunction.call(self, scope, given, block))


def with_symbols(function: BuiltinFunction) -> BuiltinFunction:
    """Return a function of the library as Puppet 3 calls it."""
    if function.name in LOOK_FOR_UNDEF:
        return function
    return SymbolFunction(function.name, function.dispatches, function.documentation)


def symbols(value: Value) -> Value:
    """Return a value with undef inside arrays and hashes as a symbol.

    >>> symbols(["a", None]), symbols("b")
    (['a', :undef], 'b')
    """
    if value.__class__ is list:
        return [UNDEF if item is None else symbols(item) for item in value]
    if value.__class__ is dict:
        return make_hash(
            (key, UNDEF if item is None else symbols(item)) for key, item in pairs(value)
        )
    return value


def values(value: Value) -> Value:
    """Return a value with these symbols replaced by undef.

    >>> values(["a", UNDEF])
    ['a', None]
    """
    if value is UNDEF:
        return None
    if value.__class__ is list:
        return [values(item) for item in value]
    if value.__class__ is dict:
        return make_hash((key, values(item)) for key, item in pairs(value))
    return value
