"""Resolution of the name of a class or defined type in its namespace.

Puppet 3 searches the namespaces around the code first (``RuntimeRules.relative_names``).
"""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.runtime.definitions import Definition
from bunraku.runtime.node_names import node_name
from bunraku.runtime.state import Compilation, Scope


def namespace(scope: Scope) -> str:
    """Return the namespace of a scope's code: a class is a namespace, a defined type is in one.

    Top scope and nodes have none.
    """
    definition = definition_of(scope)
    if definition is None or definition.kind == "node":
        return ""
    return definition.name if definition.kind == "class" else definition.name.rpartition("::")[0]


def definition_of(scope: Scope) -> Definition | None:
    """Return the class, define or node of a scope's code; None for top scope."""
    current: Scope | None = scope
    while current is not None and current.definition is None and current.is_view:
        current = current.caller
    found: Definition | None = current.definition if current is not None else None
    return found


def candidates(name: str, around: str) -> Iterator[str]:
    """Yield the full names that a name may mean in a namespace, the nearest first.

    >>> list(candidates("b", "x::y")), list(candidates("::b", "x"))
    (['x::y::b', 'x::b', 'b'], ['b'])
    """
    if name.startswith("::"):
        yield name.removeprefix("::")
        return
    while around:
        yield f"{around}::{name}"
        around = around.rpartition("::")[0]
    yield name


def find(scope: Scope, name: str, kind: str) -> Definition | None:
    """Return the definition of a kind that a name means here."""
    compilation = scope.compilation
    if kind == "define" and compilation.rules.relative_defines:
        return find_near(compilation, name, kind, namespace(scope))
    around = namespace(scope) if compilation.rules.relative_names else ""
    found = find_from(compilation, name, kind, around)
    added = None if found is not None else compilation.known_extension(added_namespaces)
    if added is None:
        return found
    for more in added.get(id(own(scope)), ()):
        found = find_from(compilation, name, kind, more)
        if found is not None:
            break
    return found


def added_namespaces(_compilation: Compilation) -> dict[int, list[str]]:
    """Return a table for the namespaces that ``search`` adds, by the identity of the scope."""
    return {}


def add_namespace(scope: Scope, name: str) -> None:
    """Look for names in one more namespace, in the code of this scope: Puppet 3's ``search``."""
    added = scope.compilation.extension(added_namespaces)
    added.setdefault(id(own(scope)), []).append(name.lower())


def own(scope: Scope) -> Scope:
    """Return the scope of a view."""
    while scope.is_view and scope.caller is not None:
        scope = scope.caller
    return scope


def find_near(compilation: Compilation, name: str, kind: str, around: str) -> Definition | None:
    """Return the definition of a kind that a name means in a namespace, ignoring the rules."""
    for candidate in candidates(name.lower(), around):
        found: Definition | None = compilation.definitions.find(candidate, kind)
        if found is not None:
            return found
    return None


def find_from(compilation: Compilation, name: str, kind: str, around: str) -> Definition | None:
    """Return the definition of a kind that a name means in a namespace."""
    found: Definition | None
    if not around or not compilation.rules.relative_names:
        found = compilation.definitions.find(name.lower(), kind)
        return found
    return find_near(compilation, name, kind, around)


def node_above(compilation: Compilation, definition: Definition) -> Definition | None:
    """Return the node definition that one inherits from by name."""
    for found in compilation.definitions.nodes:
        for kind, text in found.matches:
            if kind != "regexp" and node_name(kind, text) == definition.parent:
                above: Definition = found
                return above
    return None


def find_class(scope: Scope, name: str) -> Definition | None:
    """Return the class that a name means here."""
    return find(scope, name, "class")


def find_define(scope: Scope, name: str) -> Definition | None:
    """Return the defined type that a name means here."""
    return find(scope, name, "define")


def find_class_near(scope: Scope, name: str) -> Definition | None:
    """Return the class that a name means here, where Puppet 3 looks in the namespace first."""
    return find_near(scope.compilation, name, "class", namespace(scope))
