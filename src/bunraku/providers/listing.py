"""The resources of a machine, for ``bunraku resource``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bunraku.base.records import field, record
from bunraku.providers.attributes import ABSENT, without_encoding
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.installed_puppet import InstalledType
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.resource_type import ResourceType

Value = Any
BOOLEANS = frozenset(
    {
        ("augeas", "show_diff"),
        ("file", "force"),
        ("file", "purge"),
        ("file", "replace"),
        ("file", "show_diff"),
    }
)
"""The parameters that Puppet shows as Boolean values; others are shown as words."""
SHOWN_FALSE = frozenset(
    {
        ("augeas", "type_check"),
        ("file", "purge"),
        ("file", "selinux_ignore_defaults"),
        ("notify", "withpath"),
        ("package", "reinstall_on_refresh"),
    }
)
"""The parameters that Puppet shows although they are false by default."""


@record(frozen=True)
class Observed:
    """A resource and its current state: its attributes, ``ensure`` first, the others by name.

    ``names`` has the name attribute if it differs from the title; only data shows it.
    """

    type: str
    title: str
    attributes: Mapping[str, Value]
    names: Mapping[str, str] = field(default_factory=dict)


def every_resource(kind: ResourceType, extra: Sequence[str] = ()) -> list[Observed]:
    """Return all resources of a type, by title; ``extra`` names parameters to show.

    Raise ResourceFailure if the type cannot list its resources.
    """
    if isinstance(kind, InstalledType):
        found = puppet_resources(kind)
    else:
        found = [observed(resource, extra) for resource in listed(kind)]
    return sorted(found, key=lambda one: one.title)


def one_resource(kind: ResourceType, title: str, extra: Sequence[str] = ()) -> Observed:
    """Return the resource with a title, which may be absent.

    As in Puppet, the type must be able to list its resources, and the first provider that lists the
    resource decides. Raise PuppetError for a title that the type rejects.
    """
    if isinstance(kind, InstalledType):
        return puppet_resources(kind, title)[0]
    name = kind.canonical_name(title)
    for resource in listed(kind, name):
        return observed(resource, extra)
    absent = ManagedResource(kind, title, {"audit": "all"})
    absent.complete()
    if not absent.suitable():
        raise ResourceFailure(f"no provider of {kind.name} works on this machine")
    return observed(absent, extra)


def resulting_resource(
    kind: ResourceType, title: str, wanted: Mapping[str, Value], extra: Sequence[str] = ()
) -> Observed:
    """Return the current values of the attributes that were to be changed."""
    if isinstance(kind, InstalledType):
        return puppet_resources(kind, title)[0]
    resource = ManagedResource(kind, title, wanted)
    resource.complete()
    return observed(resource, extra)


def puppet_resources(kind: InstalledType, title: str | None = None) -> list[Observed]:
    """Return resources that an installed Puppet reads: all, or the one with a title."""
    found = []
    for one in kind.puppet.listed(kind.name, title):
        values = {name: value for name, value in one["values"].items() if is_shown(name, value)}
        if one["provider"] is not None:
            values["provider"] = one["provider"]
        found.append(Observed(kind.name, one["title"], ensure_first(values)))
    return found


def listed(kind: ResourceType, wanted: str | None = None) -> Iterator[ManagedResource]:
    """Yield the resources that the providers of a type list: all, or those with a name."""
    for name, provider, state in kind.instances():
        if wanted is None or name == wanted:
            resource = ManagedResource(kind, name, {"provider": provider, "audit": "all"})
            resource.complete()
            resource.provider.take(resource, state)
            yield resource


def observed(resource: ManagedResource, extra: Sequence[str]) -> Observed:
    """Return the current state of a resource, without the attributes that have no state."""
    state = shown_state(resource)
    values: State = {
        name: without_encoding(value) for name, value in state.items() if is_shown(name, value)
    }
    if resource.has_provider:
        values["provider"] = resource.provider.name
    for name in extra:
        attribute = resource.type.by_name.get(name)
        if attribute is None or attribute.is_property:
            continue
        value = resource[name]
        key = (resource.type.name, name)
        if value == "false" and name not in resource.original and key not in SHOWN_FALSE:
            continue
        if key in BOOLEANS:
            value = resource.is_true(name)
        if isinstance(value, tuple):
            value = list(value)
        if is_shown(name, value) and not (
            name == resource.type.namevar and value == resource.title
        ):
            values[name] = value
    namevar = resource.type.namevar
    names = {} if resource.name == resource.title or namevar in values else {namevar: resource.name}
    return Observed(resource.type.name, resource.title, ensure_first(values), names)


def ensure_first(values: Mapping[str, Value]) -> dict[str, Value]:
    """Return attributes with ``ensure`` first and the others by name."""
    order = sorted(values, key=lambda name: (name != "ensure", name))
    return {name: values[name] for name in order}


def shown_state(resource: ManagedResource) -> State:
    """Return the state of a resource in the form of its type."""
    return resource.type.shown_state(resource, resource.type.retrieve(resource))


def is_shown(name: str, value: Value) -> bool:
    """Return whether an attribute has a state worth showing."""
    if value is None or value in ("", [], {}):
        return False
    return name == "ensure" or value != ABSENT
