"""Functions that call others by name, and ``import``, which Puppet 4 removed."""

from __future__ import annotations

from typing import NoReturn

from bunraku.functions.core import issues
from bunraku.functions.core.collections import MISSING, Obstacle, walk_path
from bunraku.functions.declaration import FunctionTable
from bunraku.runtime.callables import Closure, Value
from bunraku.runtime.state import Scope
from bunraku.runtime.suggest import function_hint
from bunraku.types.builtin import is_deferred
from bunraku.values.keys import make_hash, pairs
from bunraku.values.pcore import PcoreObject
from bunraku.values.sensitive import Sensitive

function = FunctionTable()


@function(
    "call(String $function_name, Any *$arguments, Optional[Callable] &$block)",
    scope=True,
    since="5.0.0",
)
def call(scope: Scope, name: str, *arguments: Value, block: Closure | None) -> Value:
    """Call the function with a name; pass the other arguments to it.

    ```puppet
    call('abs', -3) == 3
    ```
    """
    name = name.lower().removeprefix("::")
    compilation = scope.compilation
    if compilation.functions[name] is None:
        raise issues.UNKNOWN_FUNCTION(name=name).hinted(function_hint(compilation, name))
    return compilation.call_function(scope, name, list(arguments), block)


@function("call(Deferred $deferred)", scope=True)
def call_deferred(scope: Scope, deferred: PcoreObject) -> Value:
    """Make the call of a Deferred value; a name with ``$`` is a variable, dug into.

    ```puppet
    call(Deferred('abs', [-3])) == 3
    ```
    """
    return resolve(scope, deferred)


def resolve(scope: Scope, value: Value) -> Value:
    """Return a value with its deferred values resolved."""
    kind = value.__class__
    if kind is list:
        return [resolve(scope, item) for item in value]
    if kind is dict:
        return make_hash((resolve(scope, key), resolve(scope, item)) for key, item in pairs(value))
    if kind is Sensitive:
        return Sensitive(resolve(scope, value.value))
    if not is_deferred(value):
        return value
    name = value.attributes["name"]
    arguments = resolve(scope, value.attributes.get("arguments") or [])
    if not name.startswith("$"):
        return call(scope, name, *arguments, block=None)
    variable = scope.lookup(name[1:], MISSING)
    if variable is MISSING:
        variable = scope.compilation.unknown_variable(name[1:], scope)
    try:
        return walk_path("call", variable, arguments)
    except Obstacle as found:
        raise found.error from None


@function("import(Any *$args)", since="3.6.0", remark="always an error, as in Puppet")
def import_(*_arguments: Value) -> NoReturn:
    """Raise an error: Puppet 4 removed this function."""
    raise issues.DISCONTINUED_IMPORT()
