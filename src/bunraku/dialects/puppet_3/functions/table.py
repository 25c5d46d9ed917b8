"""Declarations of functions of Puppet 3: only a name and the number of arguments.

Such a function takes any values: undef is the empty string to it, inside arrays and hashes a symbol
(``None`` here). The function itself rejects values that it cannot use.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Unpack

from bunraku.base.errors import PuppetError
from bunraku.dialects.puppet_3.functions import issues
from bunraku.dialects.puppet_3.values import inspect
from bunraku.functions.declaration import About, FunctionTable
from bunraku.runtime.callables import Value, count_text
from bunraku.runtime.operators import kind_name
from bunraku.runtime.state import Scope
from bunraku.types.value_text import to_text
from bunraku.values.regexp.regexp import Regexp

Implementation = Callable[..., Value]
OLD_PARSER = ("3.0", "3.8")
"""The dialects without the future parser."""


def received(value: Value) -> Value:
    """Return an argument in the form that functions receive."""
    if value is None:
        return ""
    return to_text(value) if value.__class__ is Regexp else value


class Table(FunctionTable):
    """The functions that one module defines; the calling scope is always the first argument."""

    def api_3(
        self, name: str, low: int, high: int | None = None, **about: Unpack[About]
    ) -> Callable[[Implementation], Implementation]:
        """Register a function that takes from ``low`` to ``high`` arguments."""
        about.setdefault("api", "3x")

        def register(implementation: Implementation) -> Implementation:
            @wraps(implementation)
            def called(scope: Scope, *arguments: Value) -> Value:
                check_count(name, len(arguments), low, high)
                return implementation(scope, *map(received, arguments))

            self(f"{name}(Any *$arguments)", scope=True, **about)(called)
            return implementation

        return register


def check_count(name: str, count: int, low: int, high: int | None) -> None:
    """Refuse a call with too few or too many arguments."""
    if count < low or (high is not None and count > high):
        word = "1 argument" if (low, high) == (1, 1) else f"{count_text(low, high)} arguments"
        raise issues.WRONG_COUNT(name=name, expected=word, actual=count)


def need_text(name: str, value: Value) -> str:
    """Return the value, which must be a string: numbers in code are strings, results are not."""
    if value.__class__ is not str:
        raise not_text(name, value)
    text: str = value
    return text


def not_text(name: str, value: Value) -> PuppetError:
    """Return the error for a value that should be a string."""
    return issues.NOT_TEXT(name=name, actual=shown(value))


def shown(value: Value) -> str:
    """Return a value for a message: its kind and its text."""
    return f"{kind_name(value)}: {inspect(value)}"
