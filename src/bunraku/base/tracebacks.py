"""Errors of Puppet code without the Python frames of bunraku."""

from __future__ import annotations

from collections.abc import Callable

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
