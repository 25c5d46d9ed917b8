"""Hints of errors about unknown names: similar names, and the places that were searched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from bunraku.base.errors import PuppetError
from bunraku.base.metaparameters import METAPARAMETERS
from bunraku.base.suggestions import closest, did_you_mean
from bunraku.catalog.schema.model import ResourceTypeSchema
from bunraku.runtime.definitions import Definition, Definitions
from bunraku.runtime.python_frames import puppet_frame
from bunraku.runtime.type_aliases import TypesOfModules
from bunraku.types.model import ClassType, ResourceType
from bunraku.types.names import TYPES

Value = Any


class Loader(Protocol):
    """The part of a compile's loader that hints use."""

    def known_names(self, kind: str, name: str) -> Iterable[str]:
        """Return candidates of a kind for a mistyped name."""

    def module_hint(self, name: str) -> str | None:
        """Return which module has a resource type, if that is known."""

    def search_report(self, kind: str, name: str) -> str | None:
        """Return where a class, defined type, type alias, template or file was searched."""

    def fact_hint(self, name: str, *, has_facts: bool) -> str | None:
        """Return what helps to read a fact, if this is the name of one."""


class Indexed(Protocol):
    """The part of a catalog that hints read."""

    @property
    def index(self) -> Mapping[tuple[str, Any], object]:
        """The resources by type and title."""


class Attributed(Protocol):
    """The part of a resource that hints read."""

    @property
    def schema(self) -> ResourceTypeSchema | None:
        """The type that is not written in Puppet."""

    @property
    def definition(self) -> Definition | None:
        """The class or defined type."""


class Surroundings(Protocol):
    """The part of a compile that hints read."""

    @property
    def loader(self) -> Loader:
        """The loader."""

    @property
    def definitions(self) -> Definitions:
        """The classes and defined types."""

    @property
    def types(self) -> TypesOfModules:
        """The types that modules define."""

    @property
    def functions(self) -> Mapping[str, object]:
        """The functions by name; None for unknown ones."""

    @property
    def class_scopes(self) -> Mapping[str, Mapping[str, Value]]:
        """The variables of the classes that were evaluated."""

    @property
    def top_scope(self) -> Mapping[str, Value]:
        """The variables of the top scope."""

    @property
    def catalog(self) -> Indexed:
        """The catalog while it is compiled."""


class Variables(Protocol):
    """A scope, as hints read it."""

    def visible_names(self) -> Mapping[str, Value]:
        """Return all variables that code there can read by a simple name."""


def sentence(*parts: str | None) -> str | None:
    """Join the parts of a hint that there are."""
    found = [part for part in parts if part]
    return (
        " ".join(part if part.endswith("?") else f"{part};" for part in found).rstrip(";") or None
    )


def class_hint(compilation: Surroundings, name: str) -> str | None:
    """Return the class that may be meant, and the files searched for this one."""
    name = name.lower().removeprefix("::")
    if "-" in name:
        return f"names of classes have no '-': did you mean {name.replace('-', '_')}?"
    names = [
        *compilation.definitions.names("class"),
        *compilation.loader.known_names("class", name),
    ]
    meant = None if name.endswith("::") else did_you_mean(name, names)
    return sentence(meant, compilation.loader.search_report("class", name))


def has_class(compilation: Surroundings, name: str) -> bool:
    """Return whether a class can be loaded; an error in its file is not the one to report."""
    try:
        return compilation.definitions.find(name, "class") is not None
    except PuppetError:
        return False


def resource_type_hint(compilation: Surroundings, name: str) -> str | None:
    """Return the resource type or defined type that may be meant; for a path, where it was searched."""
    kind = "define" if "::" in name else "resource_type"
    searched = compilation.loader.search_report(kind, name)
    if has_class(compilation, name):
        return f"'{name}' is a class: declare it with include {name}, or class {{ '{name}': }}"
    return compilation.loader.module_hint(name) or sentence(
        did_you_mean(name, resource_types(compilation, name)), searched
    )


def resource_types(compilation: Surroundings, name: str) -> Iterator[str]:
    """Yield resource types and defined types as candidates for a mistyped name."""
    yield from compilation.definitions.names("define")
    yield from compilation.loader.known_names("resource_type", name)
    yield from compilation.loader.known_names("define", name)


def type_hint(compilation: Surroundings, name: str) -> str | None:
    """Return the data type or resource type that may be meant by the name of a type."""
    key = name.lower()
    known = {*TYPES, *compilation.loader.known_names("type", name)}
    known.update(
        filter(None, (getattr(one, "name", None) for one in compilation.types.by_name.values()))
    )
    known.update(map(as_reference, resource_types(compilation, key)))
    searched = compilation.loader.search_report("type", name) if "::" in name else None
    return sentence(did_you_mean(name, known), searched) or "no type or define has this name"


def as_reference(name: str) -> str:
    """Return the name of a resource type as references write it."""
    return "::".join(part.capitalize() for part in name.split("::"))


def function_hint(compilation: Surroundings, name: str) -> str | None:
    """Return a similar function; a function of bunraku must exist in this dialect."""
    listed = set(compilation.loader.known_names("function", name))
    listed.update(key for key, one in compilation.functions.items() if one is not None)
    builtin = set(compilation.loader.known_names("builtin_function", name))
    for near in closest(name, listed | builtin, 5):
        if near in listed or compilation.functions[near] is not None:
            return f"did you mean '{near}'?"
    return None


def variable_hint(
    compilation: Surroundings, name: str, scope: Variables | None = None
) -> str | None:
    """Return the variable that may be meant, among those that the running code can read."""
    namespace, _, variable = name.removeprefix("::").rpartition("::")
    if not namespace:
        fact = compilation.loader.fact_hint(variable, has_facts=has_facts(compilation))
        return fact or did_you_mean(variable, readable_names(scope))
    inner = compilation.class_scopes.get(namespace)
    if inner is not None:
        return did_you_mean(name, (f"{namespace}::{key[1:]}" for key in inner))
    if has_class(compilation, namespace):
        return f"class '{namespace}' is not evaluated yet: include it before this line"
    return did_you_mean(name, qualified_names(compilation)) or class_hint(compilation, namespace)


def has_facts(compilation: Surroundings) -> bool:
    """Return whether the node has facts, other than those that agents and servers add."""
    return "os" in (compilation.top_scope.get("$facts") or ())


def word_hint(text: str, scope: Variables | None) -> str | None:
    """Return the variable that may be meant by a word in arithmetic."""
    return f"did you mean ${text}?" if text in readable_names(scope) else None


def qualified_names(compilation: Surroundings) -> Iterator[str]:
    """Yield the variables of all classes that were evaluated."""
    for name, inner in compilation.class_scopes.items():
        yield from (f"{name}::{key[1:]}" for key in inner)


def readable_names(scope: Variables | None) -> Iterator[str]:
    """Yield the names of the variables of the running function, of a scope and those around it."""
    frame = puppet_frame()
    if frame is not None:
        yield from (key[1:] for key in frame.f_locals if key.startswith("$"))
    if scope is not None:
        yield from scope.visible_names()


def attribute_hint(resource: Attributed, name: str) -> str | None:
    """Return the attribute that may be meant, of those that the type of a resource has."""
    known: Iterable[str] = METAPARAMETERS
    if resource.schema is not None:
        known = {*known, *resource.schema.parameters, *resource.schema.properties}
    elif resource.definition is not None:
        known = {*known, *resource.definition.parameter_names}
    return did_you_mean(name, known)


def reference_hint(compilation: Surroundings, reference: ResourceType | ClassType) -> str | None:
    """Return the resource that may be meant by a reference; only resources declared before are candidates."""
    if isinstance(reference, ClassType):
        return resource_hint(compilation, "Class", as_reference(reference.name or ""))
    type_ = as_reference(reference.type_name or "")
    return resource_hint(compilation, type_, reference.title or "")


def resource_hint(compilation: Surroundings, type_: str, title: str) -> str | None:
    """Return the resource of a type that may be meant by a title that no such resource has."""
    titles = [
        key for kind, key in compilation.catalog.index if kind == type_ and key.__class__ is str
    ]
    near = closest(title, titles)
    return f"did you mean {type_}[{near[0]}]?" if near else None
