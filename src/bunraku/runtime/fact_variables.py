"""The top scope of a recorded compile: facts become variables when code reads them."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import Any

from bunraku.runtime.state import Compilation, Scope

Value = Any


class FactScope(Scope):
    """A top scope that reads a fact when its variable is read so that ``facts`` can record it.

    A variable that is read is searched among the facts, also if there is none. ``order`` returns
    the names of all variables of the node, in the order of a scope that has them from the start; it is
    None once the scope has all of them.
    """

    __slots__ = ("facts", "order")

    def __init__(self, compilation: Compilation, facts: Mapping[str, Value]) -> None:
        super().__init__(compilation, None)
        self.facts = facts
        self.order: Callable[[], Sequence[str]] | None = tuple

    def _add(self, key: str) -> bool:
        """Make a variable of the fact of its name; return whether there is one."""
        name = key[1:]
        if name not in self.facts:
            return False
        dict.__setitem__(self, key, self.facts[name])
        return True

    def _complete(self) -> FactScope:
        """Make variables of all facts, and put the variables in order."""
        if self.order is not None:
            order, self.order = self.order, None
            known = dict(dict.items(self))
            whole = {name: self.facts[name] for name in self.facts}
            dict.clear(self)
            for name in order():
                key = f"${name}"
                dict.__setitem__(self, key, known.pop(key) if key in known else whole[name])
            dict.update(self, known)
        return self

    def names_with_values(self) -> list[str]:
        """Return the names of the variables that have a value; facts are not read, only their names."""
        if self.order is None:
            return own_names_with_values(self)
        own = dict.fromkeys([*own_names_with_values(self), *self.facts])
        return list(dict.fromkeys([*[name for name in self.order() if name in own], *own]))

    def __contains__(self, key: object) -> bool:
        return dict.__contains__(self, key) or self._add(str(key))

    def __missing__(self, key: str) -> Value:
        return dict.__getitem__(self, key) if self._add(key) else super().__missing__(key)

    def get(self, key: str, default: Value = None) -> Value:
        """Return a variable of this scope by ``$name``, or the default."""
        return dict.__getitem__(self, key) if key in self else default

    def __iter__(self) -> Iterator[str]:
        return dict.__iter__(self._complete())

    def __len__(self) -> int:
        return dict.__len__(self._complete())

    def keys(self) -> KeysView[str]:  # type: ignore[override]  # the view of the base has no name
        """Return all variables by ``$name``."""
        return dict.keys(self._complete())

    def values(self) -> ValuesView[Value]:  # type: ignore[override]
        """Return the values of all variables."""
        return dict.values(self._complete())

    def items(self) -> ItemsView[str, Value]:  # type: ignore[override]
        """Return all variables with their values."""
        return dict.items(self._complete())


def names_with_values(scope: Scope) -> list[str]:
    """Return the names of all variables with a value that code in a scope can read, the outermost first."""
    names = [] if scope.outer is None else names_with_values(scope.outer)
    own = scope.names_with_values() if isinstance(scope, FactScope) else None
    return [*names, *(own_names_with_values(scope) if own is None else own)]


def own_names_with_values(scope: Scope) -> list[str]:
    """Return the names of a scope's variables that have a value, without reading one that depends on the time."""
    keys = dict.keys(scope) if isinstance(scope, FactScope) else scope.keys()
    return [key[1:] for key in keys if dict.get(scope, key, True) is not None]


class RecordedCompilation(Compilation):
    """The state of a recorded compile; ``is_native`` returns whether this program implements a function."""

    top_scope: FactScope
    is_native: Callable[[str], bool]

    def new_top_scope(self) -> FactScope:
        """Return a top scope that finds variables among the facts."""
        return FactScope(self, self.facts)
