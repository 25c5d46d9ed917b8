"""The base of all types: equality, hashing, and names given to types."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar, dataclass_transform

from bunraku.base.records import names_of, record
from bunraku.values.keys import as_key

Value = Any
C = TypeVar("C")


@dataclass_transform(frozen_default=True)
def model(cls: type[C]) -> type[C]:
    """Return a frozen record that takes equality from :class:`Type`."""
    return record(frozen=True, eq=False)(cls)


class Type:
    """Any type; ``checker`` and ``hashed`` are set on first use.

    ``declared`` is set on a reference that was given to a class or defined type as a parameter:
    there Puppet shows it as ``File[/a]`` and not as ``File['/a']``.
    """

    __slots__ = ("checker", "declared", "hashed")

    checker: Callable[[Value], bool]
    declared: str
    hashed: int

    def identity(self) -> Hashable:
        """Return the value that equality compares, besides the class."""
        return tuple(getattr(self, name) for name in names_of(self))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if self.__class__ is not other.__class__ or not isinstance(other, Type):
            return False
        return hash(self) == hash(other) and self.identity() == other.identity()

    def __hash__(self) -> int:
        try:
            return self.hashed
        except AttributeError:
            value = hash((self.__class__.__name__, self.identity()))
            object.__setattr__(self, "hashed", value)
            return value


class Named(Type):
    """A type whose content is filled in after it is made so that it can refer to itself."""

    __slots__ = ()

    name: str

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return object.__hash__(self)


class TypeAliasType(Named):
    """``type Name = T``; ``definition`` is set once T is known, because T may refer to Name.

    ``builtin`` marks those that the language brings along, which print as their name alone.
    """

    __slots__ = ("builtin", "definition", "name")

    def __init__(self, name: str, definition: Type | None = None, builtin: bool = False) -> None:
        self.name = name
        self.definition = definition
        self.builtin = builtin

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if other.__class__ is not TypeAliasType or not isinstance(other, TypeAliasType):
            return False
        if self.name != other.name:
            return False
        return bool(shallow(self) == shallow(other))

    def __hash__(self) -> int:
        return hash(("TypeAlias", self.name))

    def __repr__(self) -> str:
        return f"TypeAliasType({self.name!r})"


def shallow(alias: TypeAliasType) -> object:
    """Return a key that distinguishes aliases of one name: the outline of the definition."""
    return outline(alias.definition)


def outline(value: object) -> object:
    """Return a type as nested tuples; names replace aliases and objects, to avoid recursion."""
    if isinstance(value, Named):
        return value.__class__.__name__, value.name
    names = names_of(value)
    if names:
        content = tuple(outline(getattr(value, name)) for name in names)
        return value.__class__.__name__, content
    if isinstance(value, tuple):
        return tuple(map(outline, value))
    return as_key(value)


def resolved(type_: Type) -> Type:
    """Return a type with the aliases at its top taken off."""
    while isinstance(type_, TypeAliasType):
        definition = type_.definition
        if definition is None:
            return type_
        type_ = definition
    return type_
