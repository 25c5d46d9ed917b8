"""Functions of Puppet 3 that the future parser calls with values of its own: numbers, true undef."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.functions.puppet3.table import Table
from bunraku.runtime.registry import Value
from bunraku.types.text import to_text
from bunraku.values.regexp import Regexp, split_text

function = Table()


def logger(level: str) -> Callable[..., str]:
    """The function that logs at a level; its value is what it logged."""

    def log(scope: Any, *values: Value) -> str:
        text: str = scope.compilation.message_text(values)
        scope.compilation.log(level, text, scope)
        return text

    log.__doc__ = f"Log the arguments with blanks between them as {level}."
    return log


for name in ("debug", "info", "notice", "warning", "err", "alert", "crit", "emerg"):
    function(f"{name}(Any *$values)", scope=True)(logger(name))


@function(
    "split(Optional[String] $text, Variant[String, Regexp, Type[Regexp]] $pattern)",
    "split(Array $text, Variant[String, Regexp, Type[Regexp]] $pattern)",
)
def split(text: Value, pattern: Value) -> Value:
    """The parts of a string between matches of a pattern; a pattern is taken as it is written."""
    if text.__class__ is list:
        return [split(item, pattern) for item in text]
    regexp = Regexp(pattern if pattern.__class__ is str else to_text(pattern))
    return split_text(regexp, text or "")
