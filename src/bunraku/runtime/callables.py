"""Callable values of Puppet code: lambdas, and functions of every kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.runtime import issues
from bunraku.types.mismatch import wrong_count
from bunraku.types.model import ANY, CallableType, OptionalType, Type
from bunraku.types.relations.assignable import is_assignable

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
            raise issues.WRONG_COUNT_OF_LAMBDA(
                name="lambda", problem=wrong_count(self.low, self.high, len(arguments))
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
    """Return a check of a lambda against the type of a block: ``Optional[Callable[String, 1, 2]]``."""
    optional = isinstance(type_, OptionalType)
    expected = type_.type if isinstance(type_, OptionalType) else type_
    if isinstance(expected, CallableType) and counts_only(expected):
        return count_checker(expected, optional=optional)

    def check(block: Closure | None) -> bool:
        if block is None or expected is None:
            return optional
        return is_assignable(expected, block.callable_type())

    return check


def counts_only(type_: CallableType) -> bool:
    """Return whether only the number of arguments decides which lambdas are instances of a type."""
    return not type_.parameters and type_.block is None and type_.return_type is None


def count_checker(type_: CallableType, *, optional: bool) -> Callable[[Value], bool]:
    """Return a check that a lambda takes every number of arguments that it may be called with."""
    low, high = type_.low, type_.high

    def check(block: Closure | None) -> bool:
        if block is None:
            return optional
        if low is None:
            return True
        return block.low <= low and (
            block.high is None or (high is not None and block.high >= high)
        )

    return check


def block_type(block: Closure | None) -> CallableType | None:
    """Return the type of a lambda, or None without one."""
    return None if block is None else block.callable_type()
