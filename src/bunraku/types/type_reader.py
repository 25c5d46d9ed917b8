"""Types from syntax nodes, without running anything: literals and type names only."""

from __future__ import annotations

from typing import Any

from bunraku.base.source import Source
from bunraku.syntax import nodes
from bunraku.syntax.parser.parser import parse
from bunraku.types import issues
from bunraku.types import model as m
from bunraku.types.model import Type
from bunraku.types.names import builtin_type
from bunraku.types.parameters.objects import check_parent, object_from, type_set_from
from bunraku.types.parameters.parameters import TypeLoader, access_type
from bunraku.types.value_text import to_text
from bunraku.values.default import DEFAULT
from bunraku.values.keys import make_hash
from bunraku.values.regexp.regexp import Regexp

Value = Any


def parse_text(text: str, loader: TypeLoader | None, *, knows_references: bool = False) -> Type:
    """Parse, then read the one expression as a type."""
    source = Source(text)
    result = parse(source)
    errors = result.errors
    if errors:
        raise issues.NOT_A_TYPE(text=text, reason=errors[0].message)
    body = result.program.body
    if isinstance(body, nodes.Block) and len(body.statements) == 1:
        body = body.statements[0]
    return type_from_node(body, loader, source, knows_references=knows_references)


def type_from_node(
    node: nodes.Node,
    loader: TypeLoader | None = None,
    source: Source | None = None,
    *,
    knows_references: bool = False,
) -> Type:
    """Return the type that an expression of names, literals, arrays and hashes denotes.

    ``source`` provides the text of unknown types, and positions for messages.
    """
    value = TypeReader(loader, source, knows_references).value(node)
    if isinstance(value, Type):
        return value
    raise issues.NOT_A_TYPE(text=text_of(node, source), reason="it is not a type")


def text_of(node: nodes.Node, source: Source | None) -> str:
    """Return the source text of a node."""
    if source is None:
        return node.__class__.__name__
    return source.text[node.start : node.end]


class TypeReader:
    """Reads nodes as values; names of types are looked up in the loader.

    ``knows_references`` reads ``TypeReference['X']``, which only catalogs have.
    """

    def __init__(
        self, loader: TypeLoader | None, source: Source | None, knows_references: bool = False
    ) -> None:
        self.loader = loader
        self.source = source
        self.knows_references = knows_references

    def value(self, node: nodes.Node) -> Value:
        """Return the value of a literal, or the type of a type expression."""
        match node:
            case nodes.Reference(value=name):
                return self.named(name)
            case nodes.Access(left=left, keys=keys):
                return self.accessed(node, left, keys)
            case nodes.Integer() | nodes.Float() | nodes.Boolean() | nodes.String() | nodes.Name():
                return node.value
            case nodes.ReservedWord(word=word):
                return word
            case nodes.Default():
                return DEFAULT
            case nodes.Undef():
                return None
            case nodes.Regexp(pattern=pattern):
                return Regexp(pattern)
            case nodes.List(values=values):
                return list(map(self.value, values))
            case nodes.Hash(entries=entries):
                return make_hash((self.value(item.key), self.value(item.value)) for item in entries)
            case nodes.UnaryMinus(
                expression=nodes.Integer(value=number) | nodes.Float(value=number)
            ):
                return -number
            case nodes.Parenthesized(expression=expression):
                return self.value(expression)
            case nodes.Heredoc(text=text):
                return self.value(text)
        raise issues.NOT_A_TYPE(
            text=text_of(node, self.source),
            reason="a type can only contain type names and literals",
        )

    def named(self, name: str) -> Type:
        """Return the type of a name."""
        found = lookup_type(name, self.loader)
        return m.TypeReferenceType(name.removeprefix("::")) if found is None else found

    def accessed(self, node: nodes.Node, left: nodes.Node, keys: list[nodes.Node]) -> Value:
        """Return a type with parameters."""
        type_ = self.value(left)
        if not isinstance(type_, Type):
            raise issues.NOT_A_TYPE(
                text=text_of(node, self.source), reason="a literal cannot have parameters"
            )
        if isinstance(type_, m.TypeReferenceType) and type_.text != "UnresolvedReference":
            return m.TypeReferenceType(text_of(node, self.source))
        values = list(map(self.value, keys))
        if isinstance(type_, m.TypeReferenceType) and self.knows_references:
            return m.TypeReferenceType(str(values[0]))
        if isinstance(type_, m.ResourceType) and type_.type_name is not None:
            # In text, unlike in code, a number or Boolean is a title.
            values = [to_text(one) if isinstance(one, int | float) else one for one in values]
        found = access_type(type_, values, self.loader)
        if type_ is m.OBJECT:
            check_parent(found)
        return found


def lookup_type(name: str, loader: TypeLoader | None = None) -> Type | None:
    """Return the type of a name, built in or from the loader; None if there is none."""
    name = name.removeprefix("::")
    found = builtin_type(name)
    if found is None and loader is not None:
        found = loader.load_type(name)
    return found


# -- definitions ---------------------------------------------------------------------------------


def begin_alias(definition: nodes.TypeAlias) -> Type:
    """Return the type of ``type Name = …``, still empty so that it can be registered first.

    ``Object[{…}]`` and a bare hash make an Object type, ``TypeSet[{…}]`` a TypeSet (with its
    member types, empty too), all else an alias. Register it, then call :func:`finish_alias`.
    """
    return begin_type(definition.name, definition.type)


def begin_type(name: str, node: nodes.Node) -> Type:
    """Return an empty type of the form that a definition has."""
    if isinstance(node, nodes.Hash) or is_definition(node, "object"):
        return m.ObjectType(name)
    if is_definition(node, "typeset"):
        type_set = m.TypeSetType(name)
        for key, item in type_set_members(node):
            type_set.types[key] = begin_type(f"{name}::{key}", item)
        return type_set
    return m.TypeAliasType(name)


def is_definition(node: nodes.Node, name: str) -> bool:
    """Return whether a node is ``Name[{…}]``."""
    return (
        isinstance(node, nodes.Access)
        and isinstance(node.left, nodes.Reference)
        and node.left.value.lower() == name
        and len(node.keys) == 1
        and isinstance(node.keys[0], nodes.Hash)
    )


def definition_hash(node: Any) -> nodes.Hash:
    """Return the hash of a definition."""
    found: nodes.Hash = node if isinstance(node, nodes.Hash) else node.keys[0]
    return found


def type_set_members(node: nodes.Node) -> list[tuple[str, nodes.Node]]:
    """Return the name and definition of each type in a TypeSet's hash."""
    for entry in definition_hash(node).entries:
        if key_text(entry.key) == "types" and isinstance(entry.value, nodes.Hash):
            return [(key_text(item.key), item.value) for item in entry.value.entries]
    return []


def key_text(node: nodes.Node) -> str:
    """Return the text of a key: a word, a capitalised word or a string."""
    if isinstance(node, nodes.Name | nodes.Reference | nodes.String):
        return node.value
    if isinstance(node, nodes.ReservedWord):
        return node.word
    raise issues.NOT_A_TYPE(text=node.__class__.__name__, reason="a key must be a name")


def finish_alias(
    type_: Type,
    definition: nodes.TypeAlias,
    loader: TypeLoader | None = None,
    source: Source | None = None,
) -> Type:
    """Complete an alias of :func:`begin_alias`; the loader already finds it by its name."""
    return finish_type(type_, definition.type, loader, source)


def finish_type(
    type_: Type, node: nodes.Node, loader: TypeLoader | None, source: Source | None
) -> Type:
    """Fill in a type from its definition."""
    if isinstance(type_, m.ObjectType):
        given = TypeReader(loader, source).value(definition_hash(node))
        given["name"] = type_.name
        return object_from(given, type_.name, type_)
    if isinstance(type_, m.TypeSetType):
        return finish_type_set(type_, node, loader, source)
    if isinstance(type_, m.TypeAliasType):
        type_.definition = without_itself(type_, type_from_node(node, loader, source))
    return type_


def finish_type_set(
    type_: m.TypeSetType, node: nodes.Node, loader: TypeLoader | None, source: Source | None
) -> Type:
    """Fill in a TypeSet; its members find one another by their simple names."""
    within = MemberLoader(type_, loader)
    for key, item in type_set_members(node):
        finish_type(type_.types[key], item, within, source)
    entries = [entry for entry in definition_hash(node).entries if key_text(entry.key) != "types"]
    reader = TypeReader(within, source)
    given = make_hash((key_text(entry.key), reader.value(entry.value)) for entry in entries)
    members = type_.types
    type_set_from(given, type_.name, type_)
    type_.types = members
    return type_


class MemberLoader:
    """Looks a name up among the members of a TypeSet first."""

    def __init__(self, type_set: m.TypeSetType, outer: TypeLoader | None) -> None:
        self.type_set = type_set
        self.outer = outer

    def load_type(self, name: str) -> Type | None:
        """See :class:`TypeLoader`."""
        found = self.type_set.lookup(name)
        if found is None and self.outer is not None:
            found = self.outer.load_type(name)
        return found


def without_itself(alias: m.TypeAliasType, type_: Type) -> Type:
    """Return a definition without bare mentions of the alias itself, which mean nothing.

    In ``type T = Variant[T, Integer]`` the first T is dropped; ``type T = T`` is an error.
    """
    found = strip(alias, type_, frozenset())
    if found is None:
        raise issues.SELF_RECURSIVE_ALIAS(name=alias.name)
    return found


def strip(alias: m.TypeAliasType, type_: Type, seen: frozenset[int]) -> Type | None:
    """Return a type without the alias at its surface; None when nothing is left."""
    if isinstance(type_, m.TypeAliasType):
        if type_ is alias:
            return None
        if type_.definition is None or id(type_) in seen:
            return type_
        inside = strip(alias, type_.definition, seen | {id(type_)})
        return None if inside is None else type_
    if isinstance(type_, m.VariantType) and type_.types:
        kept = [item for item in (strip(alias, item, seen) for item in type_.types) if item]
        if not kept:
            return None
        if len(kept) == len(type_.types):
            return type_
        return kept[0] if len(kept) == 1 else m.VariantType(tuple(kept))
    if isinstance(type_, m.OptionalType | m.NotUndefType) and type_.type is not None:
        inner = strip(alias, type_.type, seen)
        if inner is None:
            return m.UNDEF if isinstance(type_, m.OptionalType) else None
        return type_ if inner is type_.type else type_.__class__(inner)
    return type_
