"""The functions that log, one for each level."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.functions.declaration import FunctionTable
from bunraku.runtime.callables import Value
from bunraku.runtime.state import Scope
from bunraku.types.value_text import to_text

function = FunctionTable()


def logger(level: str) -> Callable[..., None]:
    """Return the function that logs at a level."""

    def log(scope: Scope, *values: Value) -> None:
        text = " ".join(map(to_text, values))
        scope.compilation.messages.log(level, text, scope)

    log.__doc__ = f"""Log the arguments, with blanks between them, at level ``{level}``.

    ```puppet
    {level}('a', [1, undef], {{ b => 2 }}) == undef
    ```
    """
    return log


for name in ("debug", "info", "notice", "warning", "err", "alert", "crit", "emerg"):
    function(f"{name}(Any *$values) >> Undef", scope=True, since="0.20.0")(logger(name))
