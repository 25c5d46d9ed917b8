"""Types that modules define: aliases, object types and TypeSets, defined types and resource types."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from bunraku.base.errors import PuppetError
from bunraku.base.source import Place
from bunraku.runtime import issues
from bunraku.runtime.definitions import Body, Definitions, Variables, declared_at
from bunraku.runtime.resource_types import ResourceTypes
from bunraku.types.base import TypeAliasType, resolved
from bunraku.types.model import (
    OBJECT,
    UNDEF,
    NotUndefType,
    OptionalType,
    ResourceType,
    Type,
    VariantType,
)
from bunraku.types.names import builtin_type
from bunraku.types.normalize import normalize
from bunraku.types.objects import ObjectType, TypeSetType
from bunraku.types.parameters.objects import check_parent
from bunraku.types.parameters.parameters import access_type
from bunraku.types.text.display import RUNTIME_AUTHORITY

Value = Any


class Shared(NamedTuple):
    """A resolved alias, and the aliases that its right side names, by their keys."""

    alias: TypeAliasType
    named: dict[str, TypeAliasType]


SHARED: WeakKeyDictionary[Body, Shared] = WeakKeyDictionary()
"""Aliases of earlier compiles by the code of their right side, which lives as long as its file is unchanged."""
OF_TYPES_ALONE = frozenset(
    [
        "constant_type",
        "type_table",
        "parameterize",
        "reference_in_alias",
        "regexp",
        "keep",
        "as_key",
        "DEFAULT",
        "statics",
        "get",
    ]
)
"""What the code of a right side uses whose value depends on nothing but the types that it names."""
OF_CATALOGS = ("$", "Class", "Resource")
"""Beginnings of the constants of code that may read a variable or a resource of the catalog."""


class TypesOfModules:
    """The types of a compile that are not built in, by name in small letters; None for unknown ones.

    ``load`` reads the file that may define an alias. The right side of an alias is evaluated in
    ``scope`` when the alias is first used.
    """

    def __init__(
        self,
        definitions: Definitions,
        resource_types: ResourceTypes,
        load: Callable[[str], None],
        scope: Variables,
    ) -> None:
        self.definitions = definitions
        self.resource_types = resource_types
        self.load = load
        self.scope = scope
        self.by_name: dict[str, Type | None] = {}
        self.alias_bodies: dict[str, Body] = {}
        self.places: dict[str, Place] = {}
        """The places of the definitions of aliases."""
        self.named: list[dict[str, None]] = []
        """The keys that the right sides name which are being evaluated, from the outer to the inner one."""
        self.unresolved: set[str] = set()
        """The keys of aliases that were named while they were being resolved."""
        self.shared: set[str] = set()
        """The keys of aliases that are in ``SHARED``."""
        self.errors: dict[str, PuppetError] = {}

    def add(self, name: str, body: Body, place: Place) -> None:
        """Register a type alias; its right side is computed at first use and may name the alias."""
        key = name.lower().removeprefix("::")
        known = self.places.get(key)
        if known is not None:
            where = declared_at(known.file, known.line)
            error = issues.DUPLICATE_ENTITY(kind="Type alias", name=name, place=where)
            raise error.at(place)
        self.places[key] = place
        self.by_name[key] = TypeAliasType(name.removeprefix("::"))
        self.alias_bodies[key] = body

    def resolve_alias(self, key: str, alias: TypeAliasType) -> None:
        """Work out the right side of an alias; a mention of it in there is already it."""
        body = self.alias_bodies.pop(key, None)
        if body is None or self.find_shared(key, body):
            return
        self.named.append({})
        try:
            found = body(self.scope)
        finally:
            named = self.named.pop()
        if isinstance(found, dict):
            found = access_type(OBJECT, [found], self)
        known = self.is_known(found)
        if isinstance(found, TypeSetType) and not known:
            self.name_members(found, alias.name)
            self.check_references(found, alias.name)
        if isinstance(found, ObjectType | TypeSetType) and not known:
            # ``type P = Object[{…}]`` names the object type; it is not an alias.
            found.name = alias.name
            self.by_name[key] = found
        if not isinstance(found, Type):
            raise issues.ALIAS_NOT_A_TYPE(name=alias.name)
        check_parent(found, alias.name)
        if isinstance(found, ObjectType) and is_ancestor(found, alias):
            raise issues.OBJECT_OF_ITSELF(name=alias.name)
        definition = without(found, alias)
        if definition is None:
            raise issues.ALIAS_OF_ITSELF(name=alias.name)
        alias.definition = normalize(definition)
        if isinstance(alias.definition, VariantType) and not alias.definition.types:
            raise issues.ALIAS_OF_NOTHING(name=alias.name)
        self.share(key, body, named)

    def find_shared(self, key: str, body: Body) -> bool:
        """Take an alias of an earlier compile if all that it names is the same; return whether it is."""
        shared = SHARED.get(body)
        if shared is None:
            return False
        self.unresolved.discard(key)
        self.named.append({})
        try:
            for name, alias in shared.named.items():
                try:
                    if self.load_type(name) is not alias:
                        return False
                except PuppetError as error:  # raised again where the right side names the type
                    self.errors[name] = error
                    return False
        finally:
            self.named.pop()
        if key in self.unresolved:  # another alias has this one before it is resolved
            return False
        self.by_name[key] = shared.alias
        self.shared.add(key)
        return True

    def share(self, key: str, body: Body, named: dict[str, None]) -> None:
        """Keep an alias for later compiles if it is made of types that later compiles can have, too."""
        alias = self.by_name[key]
        named.pop(key, None)
        if not isinstance(alias, TypeAliasType) or not depends_on_types_alone(body):
            return
        others: dict[str, TypeAliasType] = {}
        for name in named:  # in their order, in which later compiles read the files, too
            other = self.by_name[name]
            if not isinstance(other, TypeAliasType) or name not in self.shared:
                return
            others[name] = other
        self.shared.add(key)
        SHARED[body] = Shared(alias, others)

    def is_known(self, type_: Value) -> bool:
        """Return whether an Object type or TypeSet already uses its own name."""
        name = getattr(type_, "name", None)
        if not name:
            return False
        return builtin_type(name) is type_ or self.by_name.get(name.lower()) is type_

    def name_members(self, type_set: TypeSetType, name: str) -> None:
        """Give a TypeSet its name, and its Object types theirs below it."""
        type_set.name = name
        type_set.name_authority = RUNTIME_AUTHORITY
        for key, member in type_set.types.items():
            if isinstance(member, ObjectType) and not self.is_known(member):
                member.name = f"{name}::{key}"

    def load_type(self, name: str) -> Type | None:
        """Return a type that is not built in: an alias, a resource type or a defined type."""
        key = name.lower().removeprefix("::")
        if self.named:
            self.named[-1][key] = None
        if key in self.errors:
            raise self.errors[key]
        if key not in self.by_name and "::" in key and self.definitions.find(key, "define"):
            self.by_name[key] = ResourceType(key)  # defined types come before aliases
        if key not in self.by_name:
            self.load(key)
        if key not in self.by_name and "::" in key:
            self.find_in_type_set(key)
        if key not in self.by_name:
            self.by_name[key] = ResourceType(key) if self.is_resource_type(key) else None
        found = self.by_name[key]
        if key in self.alias_bodies and isinstance(found, TypeAliasType):
            if (namespace := key.rpartition("::")[0]) in self.alias_bodies:
                self.load_type(namespace)  # perhaps the TypeSet that it is of, to be checked whole
            self.resolve_alias(key, found)
        elif isinstance(found, TypeAliasType) and found.definition is None:
            self.unresolved.add(key)
        return self.by_name[key]

    def check_references(self, type_set: TypeSetType, name: str) -> None:
        """Check that the TypeSets referred to exist in an accepted version.

        The name authority of all of them is that of the runtime, also where they have another one.
        """
        for reference in type_set.references.values():
            known = reference.name_authority in (None, RUNTIME_AUTHORITY)
            other = self.load_type(reference.name) if known else None
            if isinstance(other, TypeAliasType) and other.definition is None:
                continue  # two sets that refer to each other
            wanted = reference.version_range
            if not isinstance(other, TypeSetType) or not wanted.includes(other.version):
                problem = f"TypeSet '{name}' reference to TypeSet named '{reference.name}'"
                if isinstance(other, TypeSetType):
                    problem += f" resolves to an incompatible version. Expected {wanted}, got {other.version}"
                else:
                    problem += " cannot be resolved"
                raise issues.TYPE_SET_NOT_FOUND(
                    name=name, other=reference.name, range=wanted, problem=problem
                )
            reference.type_set = other

    def find_in_type_set(self, key: str) -> None:
        """Load a type from the TypeSet of its namespace."""
        namespace, _, name = key.partition("::")
        holder = self.by_name.get(namespace)
        if namespace in self.alias_bodies:
            holder = self.load_type(namespace)
        member = holder.lookup(name) if isinstance(holder, TypeSetType) else None
        if member is not None:
            self.by_name[key] = member

    def is_resource_type(self, name: str) -> bool:
        """Return whether resources of this type can be declared."""
        if name == "node" or self.resource_types[name] is not None:
            return True
        return self.definitions.find(name, "define") is not None


def depends_on_types_alone(body: Body) -> bool:
    """Return whether the code of a right side uses no variable, function or resource."""
    code: CodeType = body.__code__
    own = (name.partition(".")[0] for name in (*code.co_varnames, *code.co_freevars))
    return (
        OF_TYPES_ALONE.issuperset(code.co_names)
        and {"scope", "type", "static"}.issuperset(own)
        and not any(one.__class__ is str and one.startswith(OF_CATALOGS) for one in code.co_consts)
    )


def without(type_: Type, alias: TypeAliasType) -> Type | None:
    """Return a type without an alias among its choices; None if no choice is left.

    So does Puppet: in ``type A = Variant[Integer, A]`` the inner A adds nothing.
    """
    if type_ is alias:
        return None
    if isinstance(type_, TypeAliasType) and type_.definition is not None:
        left = without(type_.definition, alias)
        return type_ if left is type_.definition else left
    if isinstance(type_, VariantType):
        parts = [without(item, alias) for item in type_.types]
        if all(part is item for part, item in zip(parts, type_.types, strict=True)):
            return type_
        kept = tuple(part for part in parts if part is not None)
        return VariantType(kept) if len(kept) > 1 else kept[0] if kept else None
    if isinstance(type_, OptionalType | NotUndefType) and type_.type is not None:
        left = without(type_.type, alias)
        if left is type_.type:
            return type_
        if left is None:
            return UNDEF if isinstance(type_, OptionalType) else None
        return type_.__class__(left)
    return type_


def is_ancestor(object_type: ObjectType, alias: TypeAliasType) -> bool:
    """Return whether an unresolved alias is among the parents of its object type."""
    parent = object_type.parent
    while parent is not None:
        if parent is alias:
            return True
        parent = resolved(parent)
        parent = parent.parent if isinstance(parent, ObjectType) else None
    return False
