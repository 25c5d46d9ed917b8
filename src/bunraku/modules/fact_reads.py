"""Which facts a compile reads: hashes that record it, and the answers to what they record.

A *question* about facts is a tuple: a kind, then the path of the fact. ``("fact", "os", "family")``
is for the value at that path, all of it; ``("fact",)`` is for all facts. ``("hash", "os")`` is for
whether there is a hash: code that looks into a hash by a key depends on no other key. ``("names", "os")``
is for the keys of a hash in their order.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    Sequence,
    ValuesView,
)
from typing import Any, SupportsIndex

from bunraku.base.records import record
from bunraku.facts.legacy import is_legacy
from bunraku.modules.node import is_refused, sanitize
from bunraku.values.missing import MISSING

Value = Any
Question = tuple[str, ...]
Note = Callable[[Question], None]
VALUE = "fact"
HASH = "hash"
NAMES = "names"
ALL_FACTS: Question = (VALUE,)


class FactHash(dict[str, Value]):
    """A hash of facts that records which of its keys are read.

    Code cannot distinguish it from a dictionary, because its class is ``dict``. A key that is read, or
    searched, is recorded; a hash among the values records its own keys. A loop over the keys records these.
    Everything else, such as a loop over the values or a comparison, records the whole hash. ``path`` is where the hash is among the facts.

    >>> asked = []
    >>> facts = FactHash({"os": {"family": "Debian"}, "role": "web"}, asked.append)
    >>> facts["os"]["family"], facts.get("site"), facts.__class__
    ('Debian', None, <class 'dict'>)
    >>> asked
    [('hash', 'os'), ('fact', 'os', 'family'), ('fact', 'site')]
    >>> next(iter(facts["os"])), facts["os"].values(), asked[3:]
    ('family', dict_values(['Debian']), [('names', 'os'), ('fact', 'os')])
    """

    # The language has no other hashes, so the class of a value is compared with dict everywhere.
    __class__: Any = dict
    __slots__ = ("_is_read", "_known", "_note", "_path")

    def __init__(self, facts: Mapping[str, Value], note: Note, path: tuple[str, ...] = ()) -> None:
        dict.__init__(self, facts)
        self._note = note
        self._path = path
        self._known: set[object] = set()
        self._is_read = False

    def read(self) -> FactHash:
        """Record that the whole hash is read, and return it."""
        if not self._is_read:
            self._is_read = True
            self._note((VALUE, *self._path))
        return self

    def _look_at(self, key: object) -> None:
        """Record that a key is read; a hash as its value becomes one that records its own keys."""
        self._known.add(key)
        if self._is_read or not isinstance(key, str):
            return
        path = (*self._path, str.__str__(key))
        value = dict.get(self, key)
        if value.__class__ is not dict or not value:
            self._note((VALUE, *path))
            return
        self._note((HASH, *path))
        dict.__setitem__(self, key, FactHash(value, self._note, path))

    def named(self) -> FactHash:
        """Record that the keys are read, and return the hash."""
        if not self._is_read:
            self._note((NAMES, *self._path))
        return self

    # -- reading a key -----------------------------------------------------------------------------

    def __getitem__(self, key: str) -> Value:
        if key not in self._known:
            self._look_at(key)
        return dict.__getitem__(self, key)

    def get(self, key: str, default: Value = None) -> Value:
        """Return the value of a key, or the default."""
        if key not in self._known:
            self._look_at(key)
        return dict.get(self, key, default)

    def __contains__(self, key: object) -> bool:
        if key not in self._known:
            self._look_at(key)
        return dict.__contains__(self, key)

    # -- reading the keys --------------------------------------------------------------------------

    def __iter__(self) -> Iterator[str]:
        return dict.__iter__(self.named())

    def __reversed__(self) -> Iterator[str]:
        return dict.__reversed__(self.named())

    def __len__(self) -> int:
        return dict.__len__(self.named())

    def keys(self) -> KeysView[str]:  # type: ignore[override]  # the view of the base has no name
        """Return the keys."""
        return dict.keys(self.named())

    # -- reading the whole -------------------------------------------------------------------------

    def __repr__(self) -> str:
        return dict.__repr__(self.read())

    def values(self) -> ValuesView[Value]:  # type: ignore[override]
        """Return the values."""
        return dict.values(self.read())

    def items(self) -> ItemsView[str, Value]:  # type: ignore[override]
        """Return the keys with their values."""
        return dict.items(self.read())

    def copy(self) -> dict[str, Value]:
        """Return a plain dictionary with the same values."""
        return dict.copy(self.read())

    def __eq__(self, other: object) -> bool:
        return dict.__eq__(self.read(), plain(other))

    def __ne__(self, other: object) -> bool:
        return dict.__ne__(self.read(), plain(other))

    __hash__ = None

    def __or__(self, other: Any) -> Any:
        return dict.__or__(self.copy(), plain(other))

    def __ror__(self, other: Any) -> Any:
        return dict.__ror__(self.copy(), plain(other))

    def __reduce_ex__(self, _protocol: SupportsIndex) -> tuple[type, tuple[dict[str, Value]]]:
        return dict, (self.copy(),)

    # -- changes: those of Puppet 3, and of Ruby code ----------------------------------------------

    def __setitem__(self, key: str, value: Value) -> None:
        dict.__setitem__(self.read(), key, value)

    def __delitem__(self, key: str) -> None:
        dict.__delitem__(self.read(), key)

    def __ior__(self, other: Any) -> Any:
        return dict.__ior__(self.read(), other)

    def clear(self) -> None:
        """Remove all keys."""
        dict.clear(self.read())

    def pop(self, *arguments: Any) -> Value:
        """Remove a key and return its value."""
        return dict.pop(self.read(), *arguments)

    def popitem(self) -> tuple[str, Value]:
        """Remove the last key; return it with its value."""
        return dict.popitem(self.read())

    def setdefault(self, key: str, default: Value = None) -> Value:
        """Return the value of a key, which gets the default if it is missing."""
        return dict.setdefault(self.read(), key, default)

    def update(self, *arguments: Any, **values: Any) -> None:
        """Set keys to values."""
        dict.update(self.read(), *arguments, **values)


def plain(value: Any) -> Any:
    """Return a value that C code of dictionaries reads; the whole of a hash of facts is recorded."""
    return value.copy() if isinstance(value, FactHash) else value


@record(frozen=True)
class Gathering:
    """Facts that are collected when they are read.

    ``names`` are the facts that can be collected; the node has all others from the start. ``facts``
    returns the node's facts, of these those named, or all of them for None. ``first`` are collected
    before anything is read.
    """

    names: frozenset[str]
    facts: Callable[[frozenset[str] | None], Mapping[str, Value]]
    first: frozenset[str] = frozenset()

    def among(self, names: Iterable[str]) -> frozenset[str]:
        """Return those of some names that can be collected, also as legacy facts."""
        return frozenset(name for name in names if name in self.names or is_legacy(name))


class LaterFacts(FactHash):
    """A hash of facts that collects a fact when its key is read, and all of them when the whole hash is.

    ``clean`` gives facts their form for manifests. The keys are in the order of the facts that are
    collected at once; what only the node has comes behind them.

    >>> machine = {"kernel": "Linux", "os": {"family": "Debian"}}
    >>> asked = []
    >>> def collect(names):
    ...     asked.append(names)
    ...     return {name: machine[name] for name in machine if names is None or name in names}
    >>> facts = LaterFacts({"role": "web"}, Gathering(frozenset(machine), collect), dict)
    >>> facts["role"], facts["os"], facts.get("kernal"), list(facts)
    ('web', {'family': 'Debian'}, None, ['kernel', 'os', 'role'])
    >>> asked
    [frozenset({'os'}), frozenset({'kernal'}), None]
    """

    __slots__ = ("_clean", "_gathering")

    def __init__(
        self,
        facts: Mapping[str, Value],
        gathering: Gathering,
        clean: Callable[[Mapping[str, Value]], Mapping[str, Value]],
    ) -> None:
        super().__init__(facts, lambda _question: None)
        self._gathering = gathering
        self._clean = clean

    def read(self) -> LaterFacts:
        """Collect all facts, and return the hash."""
        if not self._is_read:
            self._is_read = True
            known = dict(dict.items(self))
            found = self._clean(self._gathering.facts(None))
            dict.clear(self)
            dict.update(self, {**found, **known})
        return self

    def named(self) -> LaterFacts:
        """Collect all facts, which decide the keys, and return the hash."""
        return self.read()

    def _look_at(self, key: object) -> None:
        self._known.add(key)
        if self._is_read or not isinstance(key, str) or dict.__contains__(self, key):
            return
        for name, value in self._clean(self._gathering.facts(frozenset({key}))).items():
            if not dict.__contains__(self, name):
                dict.__setitem__(self, name, value)


class FactTable:
    """The facts of a node as they came, for answers to questions about them.

    >>> table = FactTable({"os": {"family": "Debian"}})
    >>> table.answer(("fact", "os", "family")), table.answer(("hash", "os"))
    ('Debian', True)
    >>> table.answer(("fact", "site"))
    MISSING
    """

    def __init__(self, facts: Mapping[Any, Value]) -> None:
        self.facts = {str(name): value for name, value in facts.items()}
        self._clean: dict[str, Value] = {}

    def answer(self, question: Question) -> Value:
        """Return the value at the path of a question, MISSING without one; or whether it is a hash."""
        kind, *path = question
        if kind == NAMES and not path:
            return tuple(self.facts)
        value = self._at(path) if path else sanitize(self.facts)
        if kind == NAMES:
            return tuple(value) if value.__class__ is dict else value
        return value.__class__ is dict if kind == HASH else value

    def refused(self) -> list[str]:
        """Return the names that no fact may have; a compile with such facts fails.

        >>> FactTable({"7": 1, "role": "web", "title": "x"}).refused()
        ['7', 'title']
        """
        return [name for name in self.facts if is_refused(name)]

    def _at(self, path: Sequence[str]) -> Value:
        first, *rest = path
        if first not in self.facts:
            return MISSING
        if first not in self._clean:
            self._clean[first] = sanitize(self.facts[first])
        value = self._clean[first]
        for name in rest:
            if value.__class__ is not dict or name not in value:
                return MISSING
            value = value[name]
        return value


def without_inner(questions: Iterable[Question]) -> list[Question]:
    """Return questions less those that others cover: the value of a hash has all that is in it.

    >>> without_inner([("hash", "os"), ("fact", "os", "name"), ("fact", "os"), ("fact", "role")])
    [('fact', 'os'), ('fact', 'role')]
    """
    asked = dict.fromkeys(questions)
    return [one for one in asked if not any(outer in asked for outer in covering(one))]


def covering(question: Question) -> Iterator[Question]:
    """Yield the questions whose answers decide that of another.

    >>> list(covering(("hash", "a", "b")))
    [('fact',), ('fact', 'a'), ('fact', 'a', 'b')]
    """
    kind, *path = question
    for length in range(len(path) + (kind != VALUE)):
        yield (VALUE, *path[:length])
