"""Finding the type of a resource declaration by its name, once in a compile."""

from __future__ import annotations

from bunraku.runtime import issues
from bunraku.runtime.name_resolution import find_define
from bunraku.runtime.resource_types import DeclarableType
from bunraku.runtime.state import Scope
from bunraku.runtime.suggest import resource_type_hint


def declarable_type(scope: Scope, name: str) -> DeclarableType:
    """Return the type that a name means in a scope."""
    compilation = scope.compilation
    schema = compilation.resource_types[name]
    if schema is not None:
        found = compilation.resource_types.declarable[name] = DeclarableType(name, schema, None)
        return found
    definition = find_define(scope, name)
    if definition is None:
        error = issues.UNKNOWN_TYPE_IN_STATEMENT(name=name)
        raise error.hinted(resource_type_hint(compilation, name))
    found = DeclarableType(definition.name, None, definition)
    rules = compilation.rules
    if not rules.relative_names and not rules.relative_defines:
        # Elsewhere a name means another type in another place.
        compilation.resource_types.declarable[name] = found
    return found
