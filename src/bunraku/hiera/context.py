"""What a backend function is given as ``$context`` (``Puppet::LookupContext``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.hiera.explain import Explanation
from bunraku.hiera.missing import KeyNotFound
from bunraku.types.builtin import LOOKUP_CONTEXT
from bunraku.values.keys import as_key, from_key
from bunraku.values.pcore import PcoreObject

Value = Any
Interpolate = Callable[[Value], Value]


class LookupContext(PcoreObject):
    """The backend's window to Hiera; its cache lives as long as the level's file in one compile.

    Puppet code calls its methods by name (``$context.cached_value('k')``): see :attr:`METHODS`.
    """

    METHODS = (
        "cache",
        "cache_all",
        "cache_has_key",
        "cached_entries",
        "cached_file_data",
        "cached_value",
        "environment_name",
        "explain",
        "interpolate",
        "module_name",
        "not_found",
    )
    __slots__ = ("_cache", "_explain", "_interpolate", "_read", "environment_name", "module_name")

    def __init__(
        self,
        environment_name: str,
        module_name: str | None,
        cache: dict[Any, Value],
        interpolate: Interpolate,
        read: Callable[[str], str],
        explain: Explanation,
    ) -> None:
        super().__init__(LOOKUP_CONTEXT, {})
        self.environment_name = environment_name
        self.module_name = module_name
        self._cache = cache
        self._interpolate = interpolate
        self._read = read
        self._explain = explain

    def call(self, name: str, arguments: list[Value], block: Any = None) -> Value:
        """A method called from Puppet code; AttributeError when there is none of that name."""
        if name not in self.METHODS:
            raise AttributeError(name)
        member = getattr(self, name)
        if not callable(member):
            return member
        return member(*arguments) if block is None else member(*arguments, block=block)

    def not_found(self) -> None:
        """Say that the backend has no value for the key."""
        raise KeyNotFound

    def interpolate(self, value: Value) -> Value:
        """The value with its ``%{…}`` replaced."""
        return self._interpolate(value)

    def explain(self, block: Callable[[], Value]) -> None:
        """Add to the explanation, when somebody wants one."""
        if self._explain.active:
            self._explain.note(str(block()))

    def cache(self, key: Value, value: Value) -> Value:
        """Keep a value for later calls."""
        self._cache[as_key(key)] = value
        return value

    def cache_all(self, values: dict[Any, Value]) -> None:
        """Keep all values of a hash."""
        self._cache.update(values)

    def cache_has_key(self, key: Value) -> bool:
        """Whether a value was kept."""
        return as_key(key) in self._cache

    def cached_value(self, key: Value) -> Value:
        """A value that was kept, else undef."""
        return self._cache.get(as_key(key))

    def cached_entries(self, block: Any = None) -> list[list[Value]] | None:
        """The keys and values that were kept, or the block called with each."""
        entries = [[from_key(key), value] for key, value in self._cache.items()]
        if block is None:
            return entries
        for entry in entries:
            if getattr(block, "low", 1) == 2:
                block(*entry)
            else:
                block(entry)
        return None

    def cached_file_data(self, path: str, block: Any = None) -> Value:
        """A file's text, or what the block makes of it, kept while the file does not change."""
        text = self._read(path)
        return text if block is None else block(text)
