"""Relative names: Puppet 3 looks for a class or defined type in the namespaces around it first."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.runtime.definitions import Definition
from bunraku.runtime.override import definition_of
from bunraku.runtime.scope import Scope


def namespace(scope: Scope) -> str:
    """The namespace that a scope's code is in: the name of its class or defined type.

    Top scope and nodes have none.
    """
    definition = definition_of(scope)
    return definition.name if definition is not None and definition.kind != "node" else ""


def candidates(name: str, around: str) -> Iterator[str]:
    """The full names that a name may mean in a namespace, the nearest first.

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
    """The definition of a kind that a name means here."""
    for candidate in candidates(name.lower(), namespace(scope)):
        found: Definition | None = scope.compilation.find_definition(candidate, kind)
        if found is not None:
            return found
    return None


def find_class(scope: Scope, name: str) -> Definition | None:
    """The class that a name means here."""
    return find(scope, name, "class")


def find_define(scope: Scope, name: str) -> Definition | None:
    """The defined type that a name means here."""
    return find(scope, name, "define")
