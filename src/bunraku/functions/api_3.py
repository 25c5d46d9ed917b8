"""Functions of the old (3.x) calling kind, which most of the library's are.

They accept any arguments and check them themselves. Puppet changes their arguments: undef becomes
the empty string unless inside an array or hash, and regular expressions, versions, times and
binaries become strings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Unpack

from bunraku.base.errors import PuppetError
from bunraku.functions import issues
from bunraku.functions.declaration import About, FunctionTable
from bunraku.runtime.callables import count_text
from bunraku.types.value_text import to_text
from bunraku.values.binary import Binary
from bunraku.values.iterator import Iterator
from bunraku.values.keys import make_hash, pairs
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.ruby_semantics.texts import kind_name
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.version import SemVer, SemVerRange

Value = Any
Implementation = Callable[..., Value]

UNCHANGED = frozenset({str, int, bool, float})
AS_TEXT = frozenset({Regexp, SemVer, SemVerRange, Binary, Timespan, Timestamp})


def old_value(value: Value, name: str) -> Value:
    """Return the form of a value inside an argument of a 3.x function."""
    kind = value.__class__
    if kind in UNCHANGED or value is None:
        return value
    if kind is list:
        return [item if item.__class__ in UNCHANGED else old_value(item, name) for item in value]
    if kind is dict:
        return make_hash(
            (old_value(key, name), old_value(item, name)) for key, item in pairs(value)
        )
    if kind in AS_TEXT:
        return to_text(value)
    if kind is Iterator:
        raise issues.ITERATOR_ARGUMENT(name=name)
    return value


def old_arguments(arguments: Sequence[Value], name: str) -> list[Value]:
    """Return the arguments as they are passed to a 3.x function."""
    return ["" if value is None else old_value(value, name) for value in arguments]


class Api3Table(FunctionTable):
    """A table whose :meth:`api_3` decorator registers functions of the old kind.

    ``direct`` holds them as they are called by other functions: the count of arguments is checked,
    the arguments are unchanged; the scope is always the first argument.
    """

    def __init__(self) -> None:
        super().__init__()
        self.direct: dict[str, Implementation] = {}

    def api_3(
        self,
        name: str,
        low: int = 1,
        high: int | None = None,
        *,
        scope: bool = False,
        **about: Unpack[About],
    ) -> Callable[[Implementation], Implementation]:
        """Register a function that takes from ``low`` to ``high`` arguments of any kind."""
        about.setdefault("api", "3x")

        def register(implementation: Implementation) -> Implementation:
            def check(arguments: Sequence[Value]) -> None:
                count = len(arguments)
                if count < low or (high is not None and count > high):
                    expected = count_text(low, high)
                    wanted = str(low) if high is not None else f"minimum {low}"
                    raise issues.WRONG_COUNT(
                        name=name, actual=count, expected=expected, wanted=wanted
                    )

            def direct(caller: Any, *arguments: Value) -> Value:
                check(arguments)
                return implementation(caller, *arguments) if scope else implementation(*arguments)

            self.direct[name] = direct
            if scope:

                @wraps(implementation)
                def called(caller: Any, *arguments: Value) -> Value:
                    check(arguments)
                    return implementation(caller, *old_arguments(arguments, name))

            else:

                @wraps(implementation)
                def called(*arguments: Value) -> Value:
                    check(arguments)
                    return implementation(*old_arguments(arguments, name))

            self(f"{name}(Any *$arguments)", scope=scope, **about)(called)
            return implementation

        return register


POSITIONS = ("first", "second", "third", "fourth")


def unsuitable(name: str, position: int, expected: str, actual: Value) -> PuppetError:
    """Return the error for an argument (counted from 0) of the wrong kind."""
    return issues.WRONG_ARGUMENT(
        name=name, position=POSITIONS[position], expected=expected, actual=kind_name(actual)
    )


def need_array(value: Value, name: str, position: int = 0) -> list[Value]:
    """Return the value, which must be an array."""
    if value.__class__ is not list:
        raise unsuitable(name, position, "an Array", value)
    return value


def need_hash(value: Value, name: str, position: int = 0) -> dict[Any, Value]:
    """Return the value, which must be a hash."""
    if value.__class__ is not dict:
        raise unsuitable(name, position, "a Hash", value)
    return value


def need_string(value: Value, name: str, position: int = 0) -> str:
    """Return the value, which must be a string."""
    if value.__class__ is not str:
        raise unsuitable(name, position, "a String", value)
    return value
