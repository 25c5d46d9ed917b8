"""Keys of hashes. Python takes ``1``, ``1.0`` and ``True`` for one key; Puppet has three, and takes
arrays and hashes as keys too. Strings, integers and undef are used unchanged; other values are wrapped.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from bunraku.base.lazy_typing import Any

PLAIN = frozenset({str, int, type(None)})


class Key:
    """A hash key that Python would confuse with another or cannot hash: float, bool, array, hash."""

    __slots__ = ("identity", "value")

    def __init__(self, value: Any, identity: Hashable) -> None:
        self.value = value
        self.identity = identity

    def __eq__(self, other: object) -> bool:
        return other.__class__ is Key and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    def __repr__(self) -> str:
        return f"Key({self.value!r})"


def as_key(value: Any) -> Any:
    """Return the dict key for a Puppet value.

    >>> {as_key(1): "a", as_key(1.0): "b", as_key(True): "c"}
    {1: 'a', Key(1.0): 'b', Key(True): 'c'}
    """
    kind = value.__class__
    if kind in PLAIN:
        return value
    if kind is bool or kind is float:
        return Key(value, (kind.__name__, value))
    if kind is list:
        return Key(value, ("array", tuple(map(as_key, value))))
    if kind is dict:
        return Key(value, ("hash", frozenset((key, as_key(item)) for key, item in value.items())))
    return value


def from_key(key: Any) -> Any:
    """Return the Puppet value of a dict key.

    >>> from_key(as_key(True))
    True
    """
    return key.value if key.__class__ is Key else key


def make_hash(entries: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return a Puppet hash of key and value pairs; a later entry replaces an equal key's value.

    >>> make_hash([("a", 1), (1.0, 2)])
    {'a': 1, Key(1.0): 2}
    """
    return {as_key(key): value for key, value in entries}


def pairs(hash_: dict[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the key and value of each entry, keys as Puppet values."""
    for key, value in hash_.items():
        yield (key.value if key.__class__ is Key else key), value


def keys(hash_: dict[Any, Any]) -> list[Any]:
    """Return the keys of a hash as Puppet values."""
    return [key.value if key.__class__ is Key else key for key in hash_]
