"""Object types, TypeSets: the types that Puppet code defines with attributes and methods."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from bunraku.base.records import record
from bunraku.types.base import Named, Type, model, resolved
from bunraku.values.keys import as_key

Value = Any


class Missing:
    """The type of ``MISSING``; there is one instance."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "missing"


MISSING: Any = Missing()
"""The value of an attribute that has none; undef is a value."""


@record(frozen=True, eq=False)
class ObjectAttribute:
    """An attribute of an Object type; ``kind`` is as written, ``value`` MISSING where none is given.

    ``kind`` is one of ``normal``, ``constant``, ``derived``, ``given_or_derived``, ``reference``.
    ``type_follows`` marks constants whose type is the generalized type of their value.
    """

    name: str
    type: Type
    kind: str = "normal"
    value: Value = MISSING
    override: bool = False
    final: bool = False
    annotations: Mapping[Type, Value] | None = None
    type_follows: bool = False

    @property
    def required(self) -> bool:
        """Whether the constructor must be given it."""
        return self.value is MISSING and self.kind in ("normal", "reference", "given_or_derived")


@record(frozen=True, eq=False)
class ObjectFunction:
    """A method of an Object type; the types of its parameters and result."""

    name: str
    type: Type
    override: bool = False
    final: bool = False
    annotations: Mapping[Type, Value] | None = None


class ObjectType(Named):
    """``Object[{ name, parent, attributes, functions, … }]``.

    ``attributes`` (constants among them) and ``functions`` are those of this type alone;
    :meth:`all_attributes` goes up through the parents.
    """

    __slots__ = (
        "annotations",
        "attributes",
        "checks",
        "constants_given",
        "equality",
        "equality_include_type",
        "functions",
        "hash_given",
        "name",
        "parent",
        "type_parameters",
    )

    def __init__(  # noqa: PLR0913, PLR0917 (given by name)
        self,
        name: str = "",
        parent: Type | None = None,
        attributes: Mapping[str, ObjectAttribute] | None = None,
        functions: Mapping[str, ObjectFunction] | None = None,
        type_parameters: Mapping[str, Type] | None = None,
        equality: tuple[str, ...] | None = None,
        equality_include_type: bool = True,
        checks: Value = None,
        annotations: Mapping[Type, Value] | None = None,
        hash_given: Mapping[str, Value] | None = None,
    ) -> None:
        self.name = name
        self.parent = parent
        self.attributes = dict(attributes or {})
        self.functions = dict(functions or {})
        self.type_parameters = dict(type_parameters or {})
        self.equality = equality
        self.equality_include_type = equality_include_type
        self.checks = checks
        self.annotations = annotations
        self.hash_given = hash_given

    def parent_object(self) -> ObjectType | None:
        """Return the parent without aliases and parameters."""
        found = resolved(self.parent) if self.parent is not None else None
        if isinstance(found, ObjectExtensionType):
            return found.base
        return found if isinstance(found, ObjectType) else None

    def all_attributes(self) -> dict[str, ObjectAttribute]:
        """Return the attributes of this type and its parents, the parents' first."""
        parent = self.parent_object()
        found = parent.all_attributes() if parent else {}
        found.update(self.attributes)
        return found

    def all_functions(self) -> dict[str, ObjectFunction]:
        """Return the methods of this type and its parents."""
        parent = self.parent_object()
        found = parent.all_functions() if parent else {}
        found.update(self.functions)
        return found

    def all_type_parameters(self) -> dict[str, Type]:
        """Return the type parameters of this type and its parents, the parents' first."""
        parent = self.parent_object()
        found = parent.all_type_parameters() if parent else {}
        found.update(self.type_parameters)
        return found

    def constructor_attributes(self) -> list[ObjectAttribute]:
        """Return the parameters of ``new``: required attributes, then those with a value."""
        usable = [
            item
            for item in self.all_attributes().values()
            if item.kind not in ("constant", "derived")
        ]
        return [item for item in usable if item.required] + [
            item for item in usable if not item.required
        ]

    def equality_attributes(self) -> list[str]:
        """Return the names of the attributes that decide whether two objects are equal."""
        parent = self.parent_object()
        names = list(parent.equality_attributes()) if parent else []
        return [*names, *(name for name in self.own_equality() if name not in names)]

    def own_equality(self) -> tuple[str, ...]:
        """Return the names that this type adds to those of its parents."""
        if self.equality is not None:
            return self.equality
        return tuple(n for n, item in self.attributes.items() if item.kind != "constant")

    def is_within(self, other: ObjectType) -> bool:
        """Return whether this type is ``other`` or a descendant of it."""
        found: ObjectType | None = self
        while found is not None:
            if same_object_type(found, other):
                return True
            found = found.parent_object()
        return False


def same_object_type(left: ObjectType, right: ObjectType) -> bool:
    """Return whether two Object types are the same object, or have equal names and content."""
    if left is right:
        return True
    if left.name != right.name or left.attributes.keys() != right.attributes.keys():
        return False
    if left.functions.keys() != right.functions.keys() or left.parent != right.parent:
        return False
    for name, item in left.attributes.items():
        other = right.attributes[name]
        if (item.type, item.kind) != (other.type, other.kind):
            return False
        if as_key(item.value) != as_key(other.value):
            return False
    return True


@model
class ObjectExtensionType(Type):
    """``Error['kind']``: an Object type with values for its type parameters, by name."""

    base: ObjectType
    parameters: tuple[tuple[str, Any], ...] = ()

    def identity(self) -> Hashable:
        """Return the parameters by name."""
        return self.base, frozenset((name, as_key(value)) for name, value in self.parameters)


class TypeSetType(Named):
    """``TypeSet[{ version, types, references, … }]``: types under one name.

    ``types`` maps simple names to types; ``references`` aliases to (name, version range) of others.
    """

    __slots__ = (
        "annotations",
        "name",
        "name_authority",
        "pcore_uri",
        "pcore_version",
        "references",
        "types",
        "version",
    )

    def __init__(
        self,
        name: str = "",
        version: Value = None,
        pcore_version: Value = None,
        types: Mapping[str, Type] | None = None,
        references: Mapping[str, TypeSetReference] | None = None,
        name_authority: str | None = None,
        pcore_uri: str | None = None,
        annotations: Mapping[Type, Value] | None = None,
    ) -> None:
        self.name = name
        self.version = version
        self.pcore_version = pcore_version
        self.types = dict(types or {})
        self.references = dict(references or {})
        self.name_authority = name_authority
        self.pcore_uri = pcore_uri
        self.annotations = annotations

    def lookup(self, name: str) -> Type | None:
        """Return the type of a name, in any letter case, in the set or the sets it references."""
        head, _, rest = name.partition("::")
        head = head.lower()
        for key, type_ in self.types.items():
            if key.lower() == head:
                if not rest:
                    return type_
                return type_.lookup(rest) if isinstance(type_, TypeSetType) else None
        for key, reference in self.references.items():
            if key.lower() == head and reference.type_set is not None:
                return reference.type_set.lookup(rest) if rest else reference.type_set
        return None


@record()
class TypeSetReference:
    """A reference of a TypeSet to another one."""

    name: str
    version_range: Value
    name_authority: str | None = None
    type_set: TypeSetType | None = None
