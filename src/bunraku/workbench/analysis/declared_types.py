"""The types that code declares, read without running it.

A type whose parameters a run computes, and an alias that cannot be read, are :data:`UNKNOWN`.
"""

from __future__ import annotations

from collections.abc import Iterable

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.syntax.nodes import DefineDefinition, Node, Parameter, TypeAlias
from bunraku.types import model as m
from bunraku.types.model import ArrayType, CallableType, Type
from bunraku.types.type_reader import begin_alias, finish_alias, type_from_node
from bunraku.workbench.analysis.definitions import Definitions

UNKNOWN: Type = m.UNIT
"""The type of a value that is not known: it overlaps with each type."""


class DeclaredTypes:
    """The types of parameters and results, and the type aliases of modules, by name."""

    def __init__(self, definitions: Definitions) -> None:
        self.definitions = definitions
        self.aliases: dict[str, Type | None] = {}
        self.by_node: dict[int, tuple[Node, Type]] = {}

    def load_type(self, name: str) -> Type | None:
        """Return an alias, a resource type or a defined type; None for an unknown name."""
        key = name.lower().removeprefix("::")
        if key not in self.aliases:
            self.aliases[key] = self.find(key)
        return self.aliases[key]

    def find(self, key: str) -> Type | None:
        """Return a type that is needed for the first time."""
        found = self.definitions.alias(key)
        if found is not None:
            return self.alias(key, found)
        if isinstance(self.definitions.definition(key), DefineDefinition):
            return m.ResourceType(key)
        return m.ResourceType(key) if self.definitions.is_resource_type(key) else None

    def alias(self, key: str, definition: TypeAlias) -> Type | None:
        """Return the type of an alias; it may contain itself."""
        begun = begin_alias(definition)
        self.aliases[key] = begun
        try:
            return finish_alias(begun, definition, self)
        except PuppetError:
            return None

    def of_node(self, node: Node | None) -> Type:
        """Return the type that an expression denotes; Any without one."""
        if node is None:
            return m.ANY
        known = self.by_node.get(id(node))
        if known is None:
            known = self.by_node[id(node)] = node, self.read(node)
        return known[1]

    def read(self, node: Node) -> Type:
        """Return the type that an expression denotes, if it has only names and literals."""
        try:
            return type_from_node(node, self, Source(""))
        except PuppetError:
            return UNKNOWN

    def signature(
        self,
        parameters: Iterable[Parameter],
        return_type: Node | None = None,
        block: Type | None = None,
    ) -> CallableType:
        """Return the Callable type of a function or lambda; its last parameter may repeat."""
        given = list(parameters)
        repeats = bool(given) and given[-1].captures_rest
        return CallableType(
            parameters=tuple(map(self.of_argument, given)),
            low=sum(one.value is None and not one.captures_rest for one in given),
            high=None if repeats else len(given),
            block=block,
            return_type=None if return_type is None else self.of_node(return_type),
            names=tuple(one.name for one in given),
        )

    def of_argument(self, parameter: Parameter) -> Type:
        """Return the type of each value for a parameter: an Array is the type of all for ``*$name``."""
        found = self.of_node(parameter.type)
        return found.element if parameter.captures_rest and isinstance(found, ArrayType) else found
