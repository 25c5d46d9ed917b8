"""Errors of users' code: without the Python frames of bunraku, and in words."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_typing import TypeVar

Result = TypeVar("Result")


def without_frames(action: Callable[[], Result]) -> Result:
    """Return the result of an action; raise PuppetError without the frames of the compiler.

    An error's place in Puppet code is in the error itself. pytest and others would print dozens of
    lines of bunraku before.
    """
    __tracebackhide__ = True
    try:
        return action()
    except PuppetError as error:
        raise error.with_traceback(None) from error.__cause__


def exception_text(error: BaseException, path: str) -> tuple[str, str]:
    """Return an exception in words: its kind and text; and the line of the file where it arose."""
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == path else None
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    kind = type(error).__name__
    return f"{kind}: {text}" if text else kind, "" if line is None else f", line {line}"
