"""Overrides and resource defaults: ``Type[title] { … }`` and ``Type { … }``."""

from __future__ import annotations

from typing import Any

from bunraku.base.records import record
from bunraku.base.source import NOWHERE, Place
from bunraku.runtime import issues
from bunraku.runtime.declare import (
    RELATIONSHIP_PARAMETERS,
    Append,
    Attributes,
    own_relationships,
)
from bunraku.runtime.definitions import Definition, declared_at
from bunraku.runtime.error_places import default_places
from bunraku.runtime.name_resolution import definition_of, find_from, node_above
from bunraku.runtime.operators import bare_kind_name, kind_name
from bunraku.runtime.python_frames import current_instruction
from bunraku.runtime.references import flat
from bunraku.runtime.state import Compilation, DeclaredResource, Lines, Scope
from bunraku.runtime.suggest import resource_hint
from bunraku.runtime.tags import add_further_tags, tag_list
from bunraku.types.model import ClassType, ResourceType
from bunraku.types.relations.infer import infer_generalized
from bunraku.types.text.display import capitalize, display

Value = Any


@record()
class Override:
    """Attributes for a resource from elsewhere; ``free`` ones (a collector's) may change anything."""

    attributes: Attributes
    scope: Scope
    file: str
    line: int
    free: bool = False
    lines: Lines = None

    def line_of(self, name: str) -> int:
        """Return the line of an attribute."""
        lines = dict(self.lines or ())
        return lines.get(name, lines.get("*", self.line))


def overrides_of(_compilation: Compilation) -> dict[tuple[str, str], list[Override]]:
    """Return a table for the overrides of a compile that wait, by type and title."""
    return {}


def set_defaults(scope: Scope, type_: Value, given: Attributes) -> Value:
    """Set ``Type { attributes }``: defaults for later declarations in this scope."""
    if not isinstance(type_, ResourceType) or type_.type_name is None:
        raise issues.ILLEGAL_RESOURCE_TYPE(
            got=kind_name(type_), type=display(infer_generalized(type_))
        )
    name = capitalize(type_.type_name)
    scope.compilation.resource_types.with_defaults.add(name)
    defaults = scope_with_defaults(scope)
    known = defaults.setdefault(name, {})
    for key, value in own_relationships(given).items():
        if key in known:
            raise issues.DEFAULT_ALREADY_SET(name=key, type=name)
        known[key] = value
        if key in RELATIONSHIP_PARAMETERS:
            places = scope.compilation.extension(default_places)
            places[id(known), key] = current_instruction()
    return type_


def scope_with_defaults(scope: Scope) -> dict[str, dict[str, Value]]:
    """Return the resource defaults set in a scope itself."""
    holder = scope
    while holder.is_view and holder.caller is not None:
        holder = holder.caller
    if holder.defaults is None:
        holder.defaults = {}
    return holder.defaults


def override(
    scope: Scope,
    references: Value,
    given: Attributes,
    file: str,
    line: int,
    lines: Lines = None,
) -> Value:
    """Evaluate ``Type[title] { attributes }``."""
    own_relationships(given)
    for reference in flat(references):
        if not isinstance(reference, ResourceType):
            label = bare_kind_name(reference)
            raise issues.ILLEGAL_OVERRIDDEN_TYPE(got=kind_name(reference), label=label)
        if reference.title is None:
            raise issues.OVERRIDE_WITHOUT_TITLE(type=display(reference))
        add_override(scope.compilation, reference, Override(given, scope, file, line, lines=lines))
    return references


def add_override(
    compilation: Compilation, reference: ResourceType | ClassType, change: Override
) -> None:
    """Merge an override now, or keep it until its resource is declared."""
    resource = compilation.catalog.find_reference(reference)
    if resource is not None:
        merge(compilation, resource, change)
        return
    if isinstance(reference, ClassType):
        key = ("Class", capitalize(reference.name or ""))
    else:
        key = (capitalize(reference.type_name or ""), reference.title or "")
    compilation.extension(overrides_of).setdefault(key, []).append(change)


def merge(compilation: Compilation, resource: DeclaredResource, change: Override) -> None:
    """Apply the attributes of an override to a resource, if this is allowed."""
    if not change.free and not may_override(compilation, resource, change.scope):
        raise issues.ONLY_SUBCLASSES(reference=resource.reference).at(Place.of(change))
    if resource.evaluated:
        error = issues.ALREADY_EVALUATED(
            reference=resource.reference, place=declared_at(resource.file, resource.line)
        )
        compilation.messages.strict_finding(error.at(Place.of(change)))
    for name, value in change.attributes.items():
        merge_attribute(compilation, resource, change, name, value)


def merge_attribute(
    compilation: Compilation, resource: DeclaredResource, change: Override, name: str, value: Value
) -> None:
    """Apply one attribute of an override."""
    appended = value.__class__ is Append
    plain = value.value if appended else value
    if name in resource.parameters and not is_default(resource, name):
        setter = resource.scope
        if resource.places and name in resource.places:
            setter = resource.places[name][0]
        if not change.free and not inherits_from(
            compilation, definition_of(change.scope), definition_of(setter)
        ):
            error = issues.CANNOT_OVERRIDE(
                name=name,
                reference=resource.reference,
                place=declared_at(*resource.place_of(name)),
            )
            raise error.at(Place(change.file or None, change.line_of(name)))
        if appended:
            plain = [*flat(resource.parameters[name]), *flat(plain)]
    resource.parameters[name] = plain
    if resource.places is None:
        resource.places = {}
    resource.places[name] = (change.scope, change.file, change.line_of(name))
    if name == "tag":
        resource.scope.compilation.late_tags = True
        add_further_tags(resource, tag_list(plain))


def is_default(resource: DeclaredResource, name: str) -> bool:
    """Return whether a parameter has its value from resource defaults, and so can be changed."""
    defaults = resource.scope.find_defaults(resource.type)
    return name in defaults and defaults[name] is resource.parameters[name]


def may_override(compilation: Compilation, resource: DeclaredResource, scope: Scope) -> bool:
    """Return whether a scope may override: the declaring definition, or a class that inherits it."""
    there, here = definition_of(resource.scope), definition_of(scope)
    return here is there or inherits_from(compilation, here, there)


def inherits_from(
    compilation: Compilation, child: Definition | None, parent: Definition | None
) -> bool:
    """Return whether a class is a descendant of another."""
    while child is not None and child.parent is not None:
        if child.kind == "node":
            child = node_above(compilation, child)
        else:
            child = find_from(compilation, child.parent or "", "class", child.name)
        if child is not None and child is parent:
            return True
    return False


def apply_overrides(compilation: Compilation) -> None:
    """Merge the overrides that waited for their resource."""
    overrides = compilation.extension(overrides_of)
    for key in list(overrides):
        # Puppet keeps these by the reference as written: the unique key is not used here.
        resource = compilation.catalog.index.get(key)
        if resource is not None:
            for change in overrides.pop(key):
                merge(compilation, resource, change)


def check_overrides(compilation: Compilation) -> None:
    """Refuse overrides whose resource was never declared; the first override is the place."""
    overrides = compilation.extension(overrides_of)
    if overrides:
        names = ", ".join(f"{type_}[{title}]" for type_, title in overrides)
        key, (change, *_) = next(iter(overrides.items()))
        error = issues.OVERRIDE_NOT_FOUND(references=names).at(Place.of(change))
        # Puppet reports no place.
        raise error.hinted(resource_hint(compilation, *key)).having_in_puppet(place=NOWHERE)
