"""Which calls code makes, observed from outside: nothing is replaced."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple


class Call(NamedTuple):
    """A call: the function's name, its arguments by name, and the file of the code that called."""

    name: str
    arguments: dict[str, Any]
    caller: str


@contextmanager
def calls_of(*functions: Callable[..., Any]) -> Iterator[list[Call]]:
    """Record the calls of functions written in Python, in this thread, while a block runs.

    >>> from textwrap import dedent, indent
    >>> with calls_of(indent, dedent) as calls:
    ...     text = indent("a", " ")
    >>> [(call.name, call.arguments["text"]) for call in calls]
    [('indent', 'a')]
    """
    names = {id(code_of(function)): function.__name__ for function in functions}
    found: list[Call] = []

    def note(frame: FrameType, event: str, _value: object) -> None:
        name = names.get(id(frame.f_code)) if event == "call" else None
        if name is not None:
            caller = "" if frame.f_back is None else frame.f_back.f_code.co_filename
            found.append(Call(name, dict(frame.f_locals), caller))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)


def code_of(function: Any) -> Any:
    """Return the code of a function; raise AttributeError for a builtin, whose calls are not seen."""
    return function.__code__
