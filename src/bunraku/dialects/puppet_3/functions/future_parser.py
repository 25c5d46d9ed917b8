"""Functions of Puppet 3 that the future parser calls with other values: numbers, true undef."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.dialects.puppet_3.functions.table import Table
from bunraku.runtime.callables import Value
from bunraku.runtime.state import Scope
from bunraku.types.value_text import to_text
from bunraku.values.regexp.regexp import Regexp, split_text
from bunraku.values.ruby_object import RubyObject

function = Table()
FUTURE_PARSER = ("3.8-future",)


def logger(level: str) -> Callable[..., RubyObject]:
    """Return the function that logs at a level; its value is the entry of the log."""

    def log(scope: Scope, *values: Value) -> RubyObject:
        text: str = scope.compilation.message_text(values)
        scope.compilation.messages.log(level, text, scope)
        return RubyObject(text, text, None)

    log.__doc__ = f"Log the arguments with blanks between them as {level}."
    return log


for name in ("debug", "info", "notice", "warning", "err", "alert", "crit", "emerg"):
    function(f"{name}(Any *$values)", scope=True, dialects=FUTURE_PARSER)(logger(name))


@function(
    "split(Optional[String] $text, Variant[String, Regexp, Type[Regexp]] $pattern)",
    dialects=FUTURE_PARSER,
)
def split(text: Value, pattern: Value) -> Value:
    """Return the parts of a string between matches of a pattern, taken as written."""
    regexp = Regexp(pattern if pattern.__class__ is str else to_text(pattern))
    return split_text(regexp, text or "")
