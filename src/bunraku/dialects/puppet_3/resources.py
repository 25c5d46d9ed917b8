"""Resource expressions of Puppet 3."""

from __future__ import annotations

from typing import Any

from bunraku.dialects.puppet_3 import issues
from bunraku.dialects.puppet_3.catalog_values import inner_value
from bunraku.dialects.puppet_3.values import inspect, plain_text
from bunraku.runtime import issues as runtime_issues
from bunraku.runtime import override as puppet_8
from bunraku.runtime.declare import Attributes, create, declare_class
from bunraku.runtime.name_resolution import find_class_near, find_define
from bunraku.runtime.references import flat
from bunraku.runtime.state import Compilation, Lines, Scope
from bunraku.runtime.suggest import class_hint, resource_type_hint
from bunraku.types.model import ClassType

Value = Any
DATA = frozenset(
    {bool, int, float, dict}
)  # values that stay as they are in a catalog, even as a title


def titles(title: Value) -> list[Value]:
    """Return the titles that a title expression yields; values other than text are kept."""
    return flat(title)


def declare(
    scope: Scope,
    type_: str,
    form: str,
    file: str,
    line: int,
    *bodies: tuple[list[Value], Attributes, Lines],
) -> list[Value]:
    """Evaluate ``type { title: attributes; … }``; return the references of the declared resources."""
    references = [
        create_one(scope, type_, title, given, form, file, line, lines)
        for found, given, lines in bodies
        for title in found
    ]
    if form == "exported" and not scope.compilation.settings.get("storeconfigs"):
        warn_of_export(scope.compilation)
    return references


def override(
    scope: Scope,
    references: Value,
    given: Attributes,
    file: str,
    line: int,
    lines: Lines = None,
) -> Value:
    """Evaluate ``Type[title] { attributes }``: of classes too."""
    for reference in flat(references):
        if not isinstance(reference, ClassType):
            return puppet_8.override(scope, references, given, file, line, lines)
        change = puppet_8.Override(given, scope, file, line, lines=lines)
        puppet_8.add_override(scope.compilation, reference, change)
    return references


def warn_of_export(compilation: Compilation) -> None:
    """Exported resources need a place to be kept."""
    compilation.messages.warn(
        runtime_issues.EXPORT_IGNORED.code, runtime_issues.EXPORT_IGNORED.text
    )


def create_one(
    scope: Scope,
    type_: str,
    title: Value,
    given: Attributes,
    form: str,
    file: str,
    line: int,
    lines: Lines,
) -> Value:
    """Return one resource or class."""
    if type_.lower() == "class":
        definition = find_class_near(scope, title_text(title))
        if definition is None:
            hint = class_hint(scope.compilation, title_text(title))
            raise issues.NOT_DECLARED_CLASS(name=title_text(title)).hinted(hint)
        return declare_class(scope, f"::{definition.name}", dict(given), file, line, lines)
    name = resource_type(scope, type_)
    if title.__class__ is str:
        return create(scope, name, title, dict(given), form, file, line, lines)
    if title is False:
        raise issues.NO_TITLE(type=type_)
    text = title_text(title)
    attributes = {"name": text if title is None else title, **given}
    made = create(scope, name, title, attributes, form, file, line, lines, title_text=text)
    resource = scope.compilation.catalog.find_reference(made)
    assert resource is not None  # it was just declared
    resource.title_data = inner_value(title) if title.__class__ in DATA else text
    return made


def catalog_value(name: str, value: Value) -> Value:
    """Return a parameter's value for the catalog: an array of one is unwrapped, ``name`` is text.

    >>> catalog_value("mode", ["a"]), catalog_value("name", -1)
    ('a', '-1')
    """
    if value.__class__ is list and len(value) == 1:
        value = value[0]
    if name == "name" and value.__class__ is not list:
        return title_text(value)
    return inner_value(value)


def resource_type(scope: Scope, name: str) -> str:
    """Return the full name of a resource type: built-in, else a defined type in the namespace."""
    plain = name.removeprefix("::").lower()
    if scope.compilation.resource_types[plain] is not None:
        return plain
    definition = find_define(scope, name)
    if definition is None:
        hint = resource_type_hint(scope.compilation, name)
        raise issues.INVALID_RESOURCE_TYPE(name=name).hinted(hint)
    return f"::{definition.name}"


def title_text(title: Value) -> str:
    """Return a title as text."""
    return inspect(title) if title.__class__ is dict else plain_text(title)
