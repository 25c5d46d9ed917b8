"""The functions that log, and ``fail``."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.dialects.puppet_3.functions import issues
from bunraku.dialects.puppet_3.functions.table import OLD_PARSER, Table
from bunraku.dialects.puppet_3.values import plain_text
from bunraku.runtime.callables import Value
from bunraku.runtime.state import Scope

function = Table()


def logger(level: str) -> Callable[..., None]:
    """Return the function that logs at a level."""

    def log(scope: Scope, *values: Value) -> None:
        scope.compilation.messages.log(level, joined(values), scope)

    log.__doc__ = (
        f"Log the arguments and the items of arrays, with blanks between them, as {level}."
    )
    return log


def joined(values: tuple[Value, ...]) -> str:
    """Return values joined as one text, nested arrays flattened; an empty array is an empty text.

    >>> joined((["1", ["2", None]], {"a": "b"}, []))
    '1 2 undef {"a"=>"b"} '
    """
    return " ".join(
        joined(tuple(value)) if value.__class__ is list else plain_text(value) for value in values
    )


for name in ("debug", "info", "notice", "warning", "err", "alert", "crit", "emerg"):
    function.api_3(name, 0, dialects=OLD_PARSER)(logger(name))


@function.api_3("fail", 0)
def fail(_scope: Scope, *values: Value) -> None:
    """Stop the compile with the arguments as a message."""
    raise issues.FAILED(message=" ".join(map(plain_text, values)))
