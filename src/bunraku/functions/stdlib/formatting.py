"""``sprintf`` with named arguments, from the time before the core could do it."""

from __future__ import annotations

from typing import Any

from bunraku.functions.declaration import FunctionTable
from bunraku.functions.stdlib.deprecated import deprecate
from bunraku.runtime.state import Scope
from bunraku.types.convert.sprintf import sprintf

Value = Any
function = FunctionTable()


@function(
    "sprintf_hash(String $format, Hash $arguments)", scope=True, since="4.22.0", until="8.6.0"
)
def sprintf_hash(scope: Scope, text: str, arguments: dict[Any, Value]) -> str:
    """Format a text that names its arguments, as in ``%<name>s``; deprecated.

    ```puppet
    sprintf_hash('%<foo>s / %<bar>d', {'foo' => 'a', 'bar' => 5}) == 'a / 5'
    ```
    """
    deprecate(scope, "sprintf_hash", "sprintf_hash() is deprecated, use sprintf()")
    return str(sprintf(text, [arguments]))
