"""The strings that Puppet has frozen: literals of manifests, facts and trusted data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any

from bunraku.base.bounded_cache import BoundedCache
from bunraku.runtime.state import Compilation, Scope

FROZEN = ("$facts", "$server_facts", "$trusted")
NAMES = ("$title", "$name", "$module_name", "$caller_module_name")

OF_DEFINITIONS: BoundedCache[int, tuple[object, frozenset[int]]] = BoundedCache(
    "frozen strings of definitions", 10_000
)
"""Definitions by identity, with the identities of their strings; they are kept so that both stay valid."""


class FrozenStrings:
    """Tells by identity which strings are frozen. Computed strings are objects of their own."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation
        self.read = 0
        self.ids: set[int] = set()
        self.kept: list[Any] = []
        """Keeps facts alive so that no other string gets the id of one."""
        for key in FROZEN:
            self.kept.append(compilation.top_scope.get(key))
            self.add(self.kept[-1])

    def has(self, text: str) -> bool:
        """Return whether a string is frozen. Python has only one object for a text of one letter."""
        loaded: Sequence[tuple[Any, ...]] = self.compilation.loader.loaded
        while self.read < len(loaded):
            self.ids |= strings_of(loaded[self.read])
            self.read += 1
        return len(text) < 2 or id(text) in self.ids

    def add_names(self, scope: Scope) -> None:
        """Add the strings that every body has as its names."""
        for key in NAMES:
            self.kept.append(scope.get(key))
            self.add(self.kept[-1])

    def add(self, value: Any) -> None:
        """Add the strings in a value."""
        add_strings(value, self.ids)


def strings_of(definitions: tuple[Any, ...]) -> frozenset[int]:
    """Return the identities of the strings in the definitions of a file, which all compiles of this process share."""
    known = OF_DEFINITIONS.get(id(definitions))
    if known is not None and known[0] is definitions:
        return known[1]
    found: set[int] = set()
    add_strings(definitions, found)
    return OF_DEFINITIONS.keep(id(definitions), (definitions, frozenset(found)))[1]


def add_strings(value: Any, found: set[int]) -> None:
    """Add the identities of the strings in a value, and in the constants of code in it."""
    if isinstance(value, str):
        found.add(id(value))
    elif isinstance(value, FunctionType):
        add_strings(value.__code__, found)
    elif isinstance(value, CodeType):
        for constant in value.co_consts:
            add_strings(constant, found)
    elif isinstance(value, list | tuple | frozenset):
        for item in value:
            add_strings(item, found)
    elif isinstance(value, Mapping):
        for item in dict.values(value) if isinstance(value, dict) else value.values():
            add_strings(item, found)
