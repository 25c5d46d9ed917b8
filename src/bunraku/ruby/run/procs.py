"""Values of Ruby that only translated functions have: procs and versions of gems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.ruby.run.scope import share
from bunraku.ruby.values.blocks import SYMBOL
from bunraku.ruby.values.objects import HASHES, LISTS, SIMPLE, Array, Hash, NeedsRuby, unknown
from bunraku.ruby.values.texts import string

Value = Any
PLAIN_VERSION = lazy_pattern(r"[0-9]+(?:\.[0-9]+)*")


class Proc:
    """The value of ``proc``, ``lambda`` and ``->``: a function and the number of its parameters."""

    __slots__ = ("count", "function")

    def __init__(self, function: Callable[..., Value], count: int) -> None:
        self.function = function
        self.count = count


def proc_of(value: Value) -> Proc:
    """Return the value after ``&``."""
    if value.__class__ is Proc:
        return value
    raise unknown("&", value)


def block_function(value: Value) -> Callable[..., Value]:
    """Return the function of a proc."""
    return proc_of(value).function


def block_count(value: Value) -> int:
    """Return the number of parameters of a proc."""
    return proc_of(value).count


def call_proc(value: Value, *arguments: Value) -> Value:
    """Implement ``proc.call`` with as many arguments as there are parameters."""
    found = proc_of(value)
    if found.count == SYMBOL or len(arguments) != found.count:
        raise NeedsRuby("a proc called with other arguments")
    return found.function(*arguments)


class GemVersion:
    """A version of digits and dots, as ``Gem::Version`` compares it."""

    __slots__ = ("segments", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        segments = [int(part) for part in text.split(".")]
        while len(segments) > 1 and segments[-1] == 0:
            segments.pop()
        self.segments = segments

    def compared(self, other: Value) -> int:
        """Implement ``<=>`` with another version."""
        if other.__class__ is not GemVersion:
            raise unknown("comparison", self, other)
        return int(self.segments > other.segments) - int(self.segments < other.segments)


def gem_version(value: Value) -> GemVersion:
    """Implement ``Gem::Version.new`` of a plain version."""
    found = string(value, "Gem::Version.new")
    if len(found) > 100 or not PLAIN_VERSION.fullmatch(found):
        raise unknown("Gem::Version.new", value)
    return GemVersion(found)


def frozen(value: Value) -> Value:
    """Implement ``freeze``: a frozen value cannot be changed any more."""
    if value.__class__ in LISTS or value.__class__ in HASHES:
        share(value)
    elif value.__class__ not in SIMPLE:
        raise unknown("freeze", value)
    return value


def new_hash() -> Hash:
    """Implement ``Hash.new``."""
    return Hash()


def new_array() -> Array:
    """Implement ``Array.new``."""
    return Array()
