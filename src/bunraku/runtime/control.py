"""``next``, ``return`` and ``break`` where they cannot simply leave a Python function."""

from __future__ import annotations

from typing import Any, NoReturn

from bunraku.base.errors import PuppetError
from bunraku.runtime import issues
from bunraku.types.mismatch import wrong_count


class ControlSignal(Exception):
    """A jump with a value; caught by the frame or the iteration that it is for."""

    name = ""

    def __init__(self, value: Any = None) -> None:
        super().__init__()
        self.value = value


class NextIteration(ControlSignal):
    """``next(value)``: ends the lambda or function."""

    name = "next"


class BreakIteration(ControlSignal):
    """``break()``: ends the nearest iteration that runs."""

    name = "break"


class StoppedByError(BreakIteration):
    """A ``StopIteration`` of Ruby code: it ends an iteration as ``break`` does, and is an error elsewhere."""

    def __init__(self, error: PuppetError) -> None:
        super().__init__()
        self.error = error


class ReturnFromFunction(ControlSignal):
    """``return(value)``: ends the function, class or define around."""

    name = "return"


ENDED_BY_RETURN = frozenset({"lambda", "function", "class", "define", "class_parameter"})
ENDED_BY_NEXT = frozenset({"lambda", "function", "class_parameter"})
"""Code whose value is that of ``next``: a declared type is checked, which ``return`` avoids."""


def raise_next(kind: str, *values: Any) -> NoReturn:
    """``next`` inside an expression."""
    check_count("next", values, 1)
    if kind in ENDED_BY_NEXT:
        raise NextIteration(*values)
    if kind in ENDED_BY_RETURN:
        raise ReturnFromFunction(*values)
    raise issues.ILLEGAL_CONTROL(name="next")


def raise_return(kind: str, *values: Any) -> NoReturn:
    """``return`` inside an expression or a lambda."""
    check_count("return", values, 1)
    if kind not in ENDED_BY_RETURN and kind != "epp":  # it ends a template too
        raise issues.ILLEGAL_CONTROL(name="return")
    raise ReturnFromFunction(*values)


def raise_break(kind: str, *values: Any) -> NoReturn:
    """``break``: ends the iteration that the code runs in, also through functions, classes, EPP."""
    check_count("break", values, 0)
    if kind not in ENDED_BY_RETURN and kind != "epp":
        raise issues.ILLEGAL_CONTROL(name="break")
    raise BreakIteration


def check_count(name: str, values: tuple[Any, ...], most: int) -> None:
    """Refuse surplus arguments."""
    if len(values) > most:
        raise issues.WRONG_ARGUMENT_COUNT(name=name, problem=wrong_count(0, most, len(values)))
