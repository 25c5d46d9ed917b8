"""Values of Object types: what ``type Car = Object[{…}]`` and ``Car(4)`` make."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from bunraku.values.keys import as_key


class PcoreObject:
    """A value of an Object type; ``type`` is its ObjectType (or an extension of one).

    ``attributes`` holds the values of all attributes that can be given, by name, in the order of
    the type; those that keep their default are there too. Deferred and Error values are such
    objects.
    """

    __slots__ = ("attributes", "type")

    def __init__(self, type_: Any, attributes: dict[str, Any]) -> None:
        self.type = type_
        self.attributes = attributes

    def identity(self) -> Hashable:
        """The values that decide equality, as the type says, each as a hash key."""
        names = self.type.equality_attributes()
        given = self.attributes
        return tuple((name, as_key(given[name])) for name in names if name in given)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PcoreObject):
            return False
        if self is other:
            return True
        if self.type is not other.type and self.type.equality_include_type:
            return False
        return self.identity() == other.identity()

    def __hash__(self) -> int:
        return hash(self.identity())

    def __repr__(self) -> str:
        return f"PcoreObject({self.type.name!r}, {self.attributes!r})"
