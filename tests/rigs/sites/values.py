"""Values made up for a declared type, always the same for a key."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from bunraku.syntax import nodes
from rigs.sites.samples import matching

OF_TEXTS = {
    "Scalar",
    "Data",
    "ScalarData",
    "RichData",
    "Any",
    "NotUndef",
    "Pattern",
    "Regexp",
    "Sensitive",
}
COLLECTIONS = {"Array", "Hash", "Collection", "Tuple", "Struct", "Iterable"}


class Impossible(Exception):
    """A type of which no value can be made up."""


class Inventor:
    """Makes up values; it knows the aliases of types.

    Other seeds make other values, and take other members of a choice than the first one.
    """

    def __init__(self, aliases: Mapping[str, nodes.Expression], seed: int = 0) -> None:
        self.aliases = aliases
        self.seed = seed

    def value(self, kind: nodes.Expression | str | None, key: str) -> Any:
        """A value of a type for a key; ``Impossible`` where there is none."""
        key = f"{self.seed}::{key}" if self.seed else key
        if kind is None:
            return text_for(key)
        if isinstance(kind, str):
            return {"Array": [], "Hash": {}}[kind]
        return self.of_type(kind, key, 0)

    def of_type(self, kind: nodes.Expression, key: str, depth: int) -> Any:
        if depth > 12:
            raise Impossible(f"{key}: its type is nested too deep")
        if isinstance(kind, nodes.Reference):
            return self.of_name(kind.value, [], key, depth)
        if isinstance(kind, nodes.Access) and isinstance(kind.left, nodes.Reference):
            return self.of_name(kind.left.value, kind.keys, key, depth)
        raise Impossible(f"{key}: its type is not a name")

    def of_name(self, name: str, keys: list[nodes.Expression], key: str, depth: int) -> Any:
        name = name.removeprefix("::")
        alias = self.aliases.get(name.lower())
        if alias is not None:
            return self.of_type(alias, key, depth + 1)
        match name:
            case "Optional" | "Sensitive" | "NotUndef" | "Type" if keys:
                return self.inner(keys[0], key, depth)
            case "Variant":
                return self.first_possible(keys, key, depth)
            case "Enum":
                return literal(self.turned(keys, key)[0])
            case "Pattern" | "Regexp" if keys:
                return of_pattern(keys[0], key)
            case "Array":
                return self.of_array(keys, key, depth)
            case "Hash":
                return self.of_hash(keys, key, depth)
            case "Tuple":
                types = [one for one in keys if not is_number(one)]
                return [self.of_type(one, key, depth + 1) for one in types]
            case "Struct":
                return self.of_struct(keys, key, depth)
        return simple(name, keys, key)

    def inner(self, kind: nodes.Expression, key: str, depth: int) -> Any:
        """A value of the type that a wrapper holds; also a literal, as in ``Optional['x']``."""
        if isinstance(kind, nodes.String):
            return kind.value
        return self.of_type(kind, key, depth + 1)

    def first_possible(self, kinds: list[nodes.Expression], key: str, depth: int) -> Any:
        for kind in self.turned(kinds, key):
            try:
                return self.of_type(kind, key, depth + 1)
            except Impossible:
                continue
        raise Impossible(f"{key}: no variant can be made up")

    def turned(self, choices: list[nodes.Expression], key: str) -> list[nodes.Expression]:
        """The choices, from another one on for each seed and key."""
        start = number_for(key) % len(choices) if self.seed else 0
        return [*choices[start:], *choices[:start]]

    def of_array(self, keys: list[nodes.Expression], key: str, depth: int) -> list[Any]:
        """One member of a scalar type, and none of others where none is required."""
        if not keys or is_number(keys[0]):
            return [text_for(key)] * least(keys)
        count = least(keys[1:])
        if count == 0 and self.is_deep(keys[0]):
            return []
        member = self.of_type(keys[0], key, depth + 1)
        return [member] * max(count, 1)

    def of_hash(self, keys: list[nodes.Expression], key: str, depth: int) -> dict[Any, Any]:
        """An empty hash, unless the type requires entries."""
        types = [one for one in keys if not is_number(one)]
        count = least(keys[len(types) :])
        if count == 0:
            return {}
        if len(types) < 2:
            return {text_for(key): text_for(key)}
        name = self.of_type(types[0], key, depth + 1)
        return {name: self.of_type(types[1], key, depth + 1)}

    def of_struct(self, keys: list[nodes.Expression], key: str, depth: int) -> dict[str, Any]:
        """The entries that a structure requires."""
        (table,) = keys
        if not isinstance(table, nodes.Hash):
            raise Impossible(f"{key}: the entries of its structure are not literal")
        found = {}
        for entry in table.entries:
            if isinstance(entry.key, nodes.String | nodes.Name):
                if not self.may_be_missing(entry.value):
                    name = entry.key.value
                    found[name] = self.of_type(entry.value, f"{key}.{name}", depth + 1)
            elif isinstance(entry.key, nodes.Access) and named(entry.key) == "NotUndef":
                name = str(literal(entry.key.keys[0]))
                found[name] = self.of_type(entry.value, f"{key}.{name}", depth + 1)
        return found

    def may_be_missing(self, kind: nodes.Expression) -> bool:
        """Whether a type takes undef, so a structure needs no entry for it."""
        if isinstance(kind, nodes.Reference):
            alias = self.aliases.get(kind.value.lower())
            return kind.value in {"Any", "Undef"} or (
                alias is not None and self.may_be_missing(alias)
            )
        if isinstance(kind, nodes.Access) and named(kind) == "Variant":
            return any(map(self.may_be_missing, kind.keys))
        return isinstance(kind, nodes.Access) and named(kind) == "Optional"

    def is_deep(self, kind: nodes.Expression) -> bool:
        """Whether a type is one of collections."""
        name = kind.value if isinstance(kind, nodes.Reference) else named(kind)
        alias = self.aliases.get(name.lower())
        if alias is not None:
            return self.is_deep(alias)
        return name in COLLECTIONS


def named(kind: nodes.Expression) -> str:
    """The name of a type with parameters; empty for anything else."""
    if isinstance(kind, nodes.Access) and isinstance(kind.left, nodes.Reference):
        return kind.left.value
    return ""


def is_sensitive(kind: nodes.Expression | str | None) -> bool:
    """Whether values of a type must be wrapped: ``Sensitive``, or one of its variants is."""
    if isinstance(kind, nodes.Reference):
        return kind.value == "Sensitive"
    if not isinstance(kind, nodes.Access):
        return False
    name = named(kind)
    if name in {"Optional", "NotUndef"}:
        return is_sensitive(kind.keys[0])
    return name == "Sensitive" or (name == "Variant" and all(map(is_sensitive, kind.keys)))


def text_for(key: str) -> str:
    """The text for a key: its last part, and a digest of the whole key."""
    digest = hashlib.sha256(key.encode()).hexdigest()[:8]
    return f"{key.rpartition('::')[2].replace('.', '-')}-{digest}"


def number_for(key: str) -> int:
    return int(hashlib.sha256(key.encode()).hexdigest()[:4], 16)


def simple(name: str, keys: list[nodes.Expression], key: str) -> Any:
    """A value of a type of scalars."""
    number = number_for(key)
    if name in OF_TEXTS:
        return text_for(key)
    match name:
        case "String":
            return at_least(text_for(key), least(keys))
        case "Float":
            return float(within(keys, number % 1000 + 1))
        case "Integer" | "Numeric":
            return within(keys, number % 1000 + 1)
        case "Boolean":
            return literal(keys[0]) if keys else number % 2 == 0
        case "Array" | "Tuple" | "Collection" | "Iterable":
            return []
        case "Hash" | "Struct":
            return {}
        case "Undef" | "Optional":
            return None
    raise Impossible(f"{key}: no value of the type {name} can be made up")


def at_least(text: str, length: int) -> str:
    """A text, made longer where a type requires it."""
    return text if len(text) >= length else (text * length)[:length]


def within(keys: list[nodes.Expression], number: int) -> int:
    """A number within the bounds of a type."""
    low, high = [literal(one) for one in keys] + [None] * (2 - len(keys))
    if isinstance(high, int | float) and number > high:
        return int(high)
    if isinstance(low, int | float) and number < low:
        return int(low)
    return number


def least(keys: list[nodes.Expression]) -> int:
    """The least size in the parameters of a type."""
    found = literal(keys[0]) if keys else 0
    return found if isinstance(found, int) else 0


def is_number(tree: nodes.Expression) -> bool:
    return isinstance(tree, nodes.Integer | nodes.Default)


def literal(tree: nodes.Expression) -> Any:
    """The value of a literal; None for anything else."""
    match tree:
        case nodes.String() | nodes.Name() | nodes.Integer() | nodes.Float() | nodes.Boolean():
            return tree.value
        case nodes.UnaryMinus():
            return -literal(tree.expression)
    return None


def of_pattern(tree: nodes.Expression, key: str) -> str:
    """A text that a pattern takes."""
    pattern = tree.pattern if isinstance(tree, nodes.Regexp) else str(literal(tree))
    found = matching(pattern)
    if found is None:
        raise Impossible(f"{key}: no text for /{pattern}/")
    return found
