"""What all resources of one type share, worked out once in a compile."""

from __future__ import annotations

from bunraku.catalog.model import Kind
from bunraku.catalog.schema.model import ResourceTypeSchema
from bunraku.runtime import issues
from bunraku.runtime.definitions import Definition
from bunraku.runtime.names import find_define
from bunraku.runtime.references import capitalize_name
from bunraku.runtime.state import Scope
from bunraku.runtime.suggest import resource_type_hint


class TypePlan:
    """A type that resources can be declared of: its full name, and its schema or definition."""

    __slots__ = ("definition", "kind", "name", "schema", "type")

    def __init__(
        self, name: str, schema: ResourceTypeSchema | None, definition: Definition | None
    ) -> None:
        self.name = name
        self.type = capitalize_name(name)
        self.schema = schema
        self.definition = definition
        self.kind: Kind = "compilable_type" if definition is None else "defined_type"


def type_plan(scope: Scope, name: str) -> TypePlan:
    """The plan of a type by the name that it has in this scope."""
    compilation = scope.compilation
    schema = compilation.schema(name)
    if schema is not None:
        plan = compilation.plans[name] = TypePlan(name, schema, None)
        return plan
    definition = find_define(scope, name)
    if definition is None:
        error = issues.UNKNOWN_TYPE_IN_STATEMENT(name=name)
        raise error.hinted(resource_type_hint(compilation, name))
    plan = TypePlan(definition.name, None, definition)
    rules = compilation.rules
    if not rules.relative_names and not rules.relative_defines:
        # Elsewhere a name means another type in another place.
        compilation.plans[name] = plan
    return plan
