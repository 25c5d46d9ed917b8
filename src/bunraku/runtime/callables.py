"""Callable values of Puppet code: lambdas, and functions of every kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.runtime import issues
from bunraku.types.model import ANY, CallableType, OptionalType, Type

Value = Any
Implementation = Callable[..., Value]


class Closure:
    """A lambda as a value: calling it runs the Puppet block with checked parameters.

    ``low`` and ``high`` count the arguments it takes (``high`` None without limit); ``types`` are
    those of its parameters (None where untyped), the last repeating when ``high`` is None.
    """

    __slots__ = ("function", "high", "low", "names", "return_type", "types")

    def __init__(
        self,
        function: Implementation,
        low: int,
        high: int | None,
        names: tuple[str, ...],
        types: tuple[Type | None, ...] = (),
        return_type: Type | None = None,
    ) -> None:
        self.function = function
        self.low = low
        self.high = high
        self.names = names
        self.types = types
        self.return_type = return_type

    def __call__(self, *arguments: Value) -> Value:
        """Run the lambda; raise ILLEGAL_ARGUMENT_COUNT for a wrong number of arguments."""
        if len(arguments) < self.low or (self.high is not None and len(arguments) > self.high):
            raise issues.WRONG_ARGUMENT_COUNT(
                name="lambda", expected=count_text(self.low, self.high), actual=len(arguments)
            )
        return self.function(*arguments)

    def callable_type(self) -> CallableType:
        """Return the Callable type of the lambda, as a signature is matched against it."""
        return CallableType(
            parameters=tuple(item or ANY for item in self.types),
            low=self.low,
            high=self.high,
            return_type=self.return_type,
        )


def count_text(low: int, high: int | None) -> str:
    """Return the number of arguments of a callable in words: ``1``, ``1 to 3``, ``at least 2``."""
    if high is None:
        return f"at least {low}"
    return str(low) if low == high else f"{low} to {high}"


def block_checker(type_: Type) -> Callable[[Value], bool]:
    """Return a check of a lambda against ``Callable[low, high]`` or ``Optional[Callable[…]]``."""
    optional = isinstance(type_, OptionalType)
    inner = type_.type if isinstance(type_, OptionalType) else type_
    low = inner.low if isinstance(inner, CallableType) else None
    high = inner.high if isinstance(inner, CallableType) else None
    any_count = not isinstance(inner, CallableType) or low is None

    def check(block: Closure | None) -> bool:
        if block is None:
            return optional
        if any_count or low is None:
            return True
        # The block must take every count of arguments that the function may call it with.
        top = high if high is not None else low
        return block.low <= low and (block.high is None or block.high >= top)

    return check


def block_type(block: Closure | None) -> CallableType | None:
    """Return the type of a lambda, or None without one."""
    return None if block is None else block.callable_type()
