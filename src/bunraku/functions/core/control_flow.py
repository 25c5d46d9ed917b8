"""``break``, ``next`` and ``return`` called by name; elsewhere the compiler makes jumps of them.

``call('next', 1)`` and ``call('return', 1)`` end no more than ``call`` itself: so does Puppet.
"""

from __future__ import annotations

from typing import NoReturn

from bunraku.functions.declaration import FunctionTable
from bunraku.runtime.callables import Value
from bunraku.runtime.control import BreakIteration

function = FunctionTable()


@function("break()", since="4.8.0")
def break_() -> NoReturn:
    """End the iteration that called the lambda.

    ```puppet
    [1, 2, 3].map |$x| { if $x == 2 { break() } $x } == [1]
    ```
    """
    raise BreakIteration


@function("next(Optional[Any] $value = undef)", since="4.8.0")
def next_(value: Value = None) -> Value:
    """End the lambda, its value is the one given.

    ```puppet
    [1, 2].map |$x| { if $x == 2 { next(5) } $x } == [1, 5]
    call('next', 1) == 1
    ```
    """
    return value


@function("return(Optional[Any] $value = undef)", since="4.8.0")
def return_(value: Value = None) -> Value:
    """End the function, class or defined type around, with the value given.

    ```puppet
    call('return', 1) == 1
    ```
    """
    return value
