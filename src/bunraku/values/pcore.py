"""Values of Object types: ``type Car = Object[{…}]`` and ``Car(4)`` make them."""

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
        """Return the values that decide equality by the rules of the type, each as a hash key."""
        names = self.type.equality_attributes()
        given = self.attributes
        return tuple((name, as_key(given[name])) for name in names if name in given)

    def equals(self, other: PcoreObject) -> bool:
        """Return the result of ``==``: the left type and its parents select the attributes."""
        return self is other or equal_at(self.type, self, other)

    def __eq__(self, other: object) -> bool:
        """Return whether two objects are one hash key: of one type, and equal."""
        if not isinstance(other, PcoreObject):
            return False
        return self is other or (self.type is other.type and self.equals(other))

    def __hash__(self) -> int:
        return hash(self.identity())

    def __repr__(self) -> str:
        return f"PcoreObject({self.type.name!r}, {self.attributes!r})"


def equal_at(type_: Any, left: PcoreObject, right: PcoreObject) -> bool:
    """Return whether two objects are equal by the rules of a type and its parents.

    If neither attributes nor the object itself are compared, objects of a type are never equal.
    """
    parent = type_.parent_object()
    if parent is not None and not equal_at(parent, left, right):
        return False
    names = type_.own_equality()
    if type_.equality_include_type:
        if left.type is not right.type:
            return False
    elif parent is None and not names:
        return False
    for name in names:
        if name in left.attributes and (
            name not in right.attributes
            or as_key(left.attributes[name]) != as_key(right.attributes[name])
        ):
            return False
    return True
