"""The strings that Puppet has frozen: literals of manifests, facts and trusted data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any

from bunraku.runtime.state import Compilation, Scope

FROZEN = ("$facts", "$server_facts", "$trusted")
NAMES = ("$title", "$name", "$module_name", "$caller_module_name")


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
        loaded: Sequence[Any] = self.compilation.loader.loaded
        while self.read < len(loaded):
            self.add(loaded[self.read])
            self.read += 1
        return len(text) < 2 or id(text) in self.ids

    def add_names(self, scope: Scope) -> None:
        """Add the strings that every body has as its names."""
        for key in NAMES:
            self.kept.append(scope.get(key))
            self.add(self.kept[-1])

    def add(self, value: Any) -> None:
        """Add the strings in a value, and the constants of code in it."""
        if isinstance(value, str):
            self.ids.add(id(value))
        elif isinstance(value, FunctionType):
            self.add(value.__code__)
        elif isinstance(value, CodeType):
            for constant in value.co_consts:
                self.add(constant)
        elif isinstance(value, list | tuple | frozenset):
            for item in value:
                self.add(item)
        elif isinstance(value, Mapping):
            for item in dict.values(value) if isinstance(value, dict) else value.values():
                self.add(item)
