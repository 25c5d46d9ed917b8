"""The types that resources can be declared of."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.catalog.compiled import Kind
from bunraku.catalog.schema.model import ResourceTypeSchema
from bunraku.runtime.definitions import Definition
from bunraku.types.text.display import capitalize


class ResourceTypes(dict[str, ResourceTypeSchema | None]):
    """The schemas of the resource types that are not written in Puppet; None for unknown ones.

    Reading a missing name loads it. ``declarable`` has the types of which the statements of a
    compile have declared resources, ``with_defaults`` the capitalised names of types that resource
    defaults were set for.
    """

    def __init__(self, load: Callable[[str], ResourceTypeSchema | None]) -> None:
        self.load = load
        self.declarable: dict[str, DeclarableType] = {}
        self.with_defaults: set[str] = set()

    def __missing__(self, name: str) -> ResourceTypeSchema | None:
        found = self[name] = self.load(name)
        return found


class DeclarableType:
    """A type that resources can be declared of: its full name, and its schema or definition."""

    __slots__ = ("definition", "kind", "name", "schema", "type")

    def __init__(
        self, name: str, schema: ResourceTypeSchema | None, definition: Definition | None
    ) -> None:
        self.name = name
        self.type = capitalize(name)
        self.schema = schema
        self.definition = definition
        self.kind: Kind = "compilable_type" if definition is None else "defined_type"
