"""The relevant differences between two catalogs.

Catalogs are compared as the data that agents get. The comparison ignores the order of resources,
places in manifests, version and identity, and the order in relationships and tags. Sensitive values
are compared but never kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, TypedDict

from bunraku.base.records import field, names_of, record
from bunraku.catalog.document import with_named_ends

Data = Mapping[str, Any]
"""A catalog as data."""


class ComparedResource(TypedDict, total=False):
    """The compared parts of a resource of a catalog."""

    type: str
    title: str
    file: str | None
    line: int | None
    exported: bool
    tags: list[object] | None
    parameters: Mapping[str, object] | None
    sensitive_parameters: list[str] | None


NOTHING: Final[ComparedResource] = {}
SENSITIVE: Final = {"__ptype": "Sensitive"}
"""Stands for a Sensitive value."""
REDACTED = "Sensitive [value redacted]"
UNORDERED = frozenset({"before", "require", "notify", "subscribe", "tag", "alias"})


class Absent:
    """The class of :data:`ABSENT`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()
"""The value of a parameter that one side does not have."""


Secrecy = Literal["", "lost", "gained"]
"""Whether a value that was Sensitive is not any more, or the other way round."""
OPEN = "[value redacted], not Sensitive"
"""Stands for a value that is Sensitive on the other side only."""


@record(frozen=True)
class Change:
    """A different parameter: its value on each side, ABSENT on a side without it.

    If only one side is Sensitive, :data:`OPEN` stands for the value of the other.
    """

    name: str
    old: object
    new: object
    secrecy: Secrecy = field(default="", shown=False)

    @property
    def hidden(self) -> bool:
        """Whether the sides differ only in sensitive values, and so look the same."""
        return repr(self.old) == repr(self.new)


@record(frozen=True)
class ResourceChange:
    """A resource that is on one side only (all its parameters are changes), or differs."""

    reference: str
    changes: tuple[Change, ...]
    place: str = ""


@record()
class Difference:
    """All that differs between two catalogs, each list sorted."""

    added: list[ResourceChange] = field(default_factory=list)
    removed: list[ResourceChange] = field(default_factory=list)
    changed: list[ResourceChange] = field(default_factory=list)
    edges_added: list[str] = field(default_factory=list)
    edges_removed: list[str] = field(default_factory=list)
    classes_added: list[str] = field(default_factory=list)
    classes_removed: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in names_of(self))


def compare(
    old: Data,
    new: Data,
    *,
    tags: bool = False,
    edges: bool = True,
    behind: Callable[[Data, Data], Iterable[Change]] | None = None,
) -> Difference:
    """Return the differences between two catalogs; tags count only with ``tags``.

    ``behind`` returns the changes of what the sources of a file resource have, from its parameters.

    >>> old = {"resources": [{"type": "File", "title": "/a", "parameters": {"mode": "0644"}}]}
    >>> new = {"resources": [{"type": "File", "title": "/a", "parameters": {"mode": "0600"}}]}
    >>> compare(old, new).changed
    [ResourceChange(reference='File[/a]', changes=(Change(name='mode', old='0644', new='0600'),), place='')]
    >>> bool(compare(old, old))
    False
    """
    found = Difference()
    before, after = resources(old), resources(new)
    for reference in sorted({*before, *after}) if old is not new else ():
        here, there = before.get(reference), after.get(reference)
        changes = tuple(parameter_changes(here or NOTHING, there or NOTHING, tags))
        if here is None and there is not None:
            found.added.append(ResourceChange(reference, changes, place(there)))
        elif there is None and here is not None:
            found.removed.append(ResourceChange(reference, changes, place(here)))
        elif changes and there is not None:
            found.changed.append(ResourceChange(reference, changes, place(there)))
    if behind is not None:
        add_source_changes(found, before, after, behind)
    if old is new:
        return found
    if edges:
        found.edges_removed, found.edges_added = one_sided(edge_names(old), edge_names(new))
    found.classes_removed, found.classes_added = one_sided(class_names(old), class_names(new))
    return found


def add_source_changes(
    found: Difference,
    before: Mapping[str, ComparedResource],
    after: Mapping[str, ComparedResource],
    behind: Callable[[Data, Data], Iterable[Change]],
) -> None:
    """Add the changes behind the sources of file resources to those of their parameters."""
    changed = {one.reference: one for one in found.changed}
    for reference, there in after.items():
        here = before.get(reference)
        if here is None or there["type"] != "File":
            continue
        parts = here.get("parameters") or {}, there.get("parameters") or {}
        if parts[0].get("source") and parts[1].get("source"):
            changes = tuple(behind(*parts))
            if changes:
                known = changed.get(reference)
                first = () if known is None else known.changes
                changed[reference] = ResourceChange(reference, (*first, *changes), place(there))
    found.changed = [changed[reference] for reference in sorted(changed)]


def resources(catalog: Data) -> dict[str, ComparedResource]:
    """Return the resources by reference."""
    found: Iterable[ComparedResource] = catalog.get("resources") or ()
    return {f"{one['type']}[{one['title']}]": one for one in found}


def place(resource: ComparedResource) -> str:
    """Return the known file and line of a resource."""
    file, line = resource.get("file"), resource.get("line")
    return f"{file}:{line}" if file and line else str(file or "")


def one_sided(old: set[str], new: set[str]) -> tuple[list[str], list[str]]:
    """Return the elements that only one of the sets has, sorted."""
    return sorted(old - new), sorted(new - old)


def edge_names(catalog: Data) -> set[str]:
    """Return the edges as text."""
    edges = map(with_named_ends, catalog.get("edges") or ())
    return {f"{edge['source']} -> {edge['target']}" for edge in edges}


def class_names(catalog: Data) -> set[str]:
    """Return the classes of a catalog."""
    names: Iterable[object] = catalog.get("classes") or ()
    return set(map(str, names))


def parameter_changes(old: ComparedResource, new: ComparedResource, tags: bool) -> list[Change]:
    """Return the differences between the parameters and markers of two resources."""
    before, after = parameters(old, tags), parameters(new, tags)
    were, are = old.get("sensitive_parameters") or (), new.get("sensitive_parameters") or ()
    names = {*before, *after}
    turned = () if were == are else names & ({*were} ^ {*are})
    found = []
    for name in sorted(names):
        here, there = before.get(name, ABSENT), after.get(name, ABSENT)
        if not same(name, here, there):
            found.append(change_of(name, here, there, name in were, name in are))
    if turned:
        found += [
            change_of(name, before[name], after[name], name in were, name in are)
            for name in sorted({*turned}.difference([one.name for one in found]))
        ]
    return found


def change_of(name: str, old: object, new: object, was_secret: bool, is_secret: bool) -> Change:
    """Return the change of a parameter, from its values and whether it is in ``sensitive_parameters``."""
    if old.__class__ is str and new.__class__ is str and was_secret is is_secret:
        return Change(name, SENSITIVE, SENSITIVE) if is_secret else Change(name, old, new)
    if old is not ABSENT and new is not ABSENT:
        if (was_secret and not is_secret) or is_exposed(old, new, is_secret):
            return Change(name, SENSITIVE, OPEN, "lost")
        if (is_secret and not was_secret) or is_exposed(new, old, was_secret):
            return Change(name, OPEN, SENSITIVE, "gained")
    secret = was_secret or is_secret
    return Change(name, shown(old, secret), shown(new, secret))


def is_exposed(old: object, new: object, is_secret: bool) -> bool:
    """Return whether a Sensitive value in one value is a plain one in the other; not of a secret parameter.

    >>> secret = {"__ptype": "Sensitive", "__pvalue": "x"}
    >>> is_exposed({"a": secret}, {"a": "x"}, False), is_exposed({"a": secret}, {}, False)
    (True, False)
    """
    if is_secret or is_sensitive(new):
        return False
    if is_sensitive(old):
        return True
    if isinstance(old, list) and isinstance(new, list):
        return any(is_exposed(*pair, False) for pair in zip(old, new, strict=False))
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return any(is_exposed(old[key], new[key], False) for key in old if key in new)
    return False


def is_sensitive(value: object) -> bool:
    """Return whether a value of a catalog is Sensitive."""
    return isinstance(value, Mapping) and value.get("__ptype") == "Sensitive"


def parameters(resource: ComparedResource, tags: bool) -> dict[str, object]:
    """Return the parameters with, where they matter, tags and whether the resource is exported."""
    found = dict(resource.get("parameters") or {})
    if resource.get("exported"):
        found["(exported)"] = True
    if tags and resource:
        found["(tags)"] = sorted(map(str, resource.get("tags") or ()))
    return found


def same(name: str, old: object, new: object) -> bool:
    """Return whether two values mean the same; true is not 1, and 1 is not 1.0.

    >>> same("require", ["File[/a]", "File[/b]"], ["File[/b]", "File[/a]"]), same("x", 1, True)
    (True, False)
    """
    if old is ABSENT or new is ABSENT:
        return old is new
    if name in UNORDERED and isinstance(old, list) and isinstance(new, list):
        return sorted(map(repr, old)) == sorted(map(repr, new))
    if old.__class__ is not new.__class__:
        return False
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(same("", a, b) for a, b in zip(old, new, strict=True))
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return old.keys() == new.keys() and all(same("", old[key], new[key]) for key in old)
    return bool(old == new)


def shown(value: object, secret: bool) -> object:
    """Return the value in a form that is safe to show.

    >>> shown({"a": {"__ptype": "Sensitive", "__pvalue": "x"}}, False)
    {'a': {'__ptype': 'Sensitive'}}
    """
    if value is ABSENT:
        return value
    if secret or is_sensitive(value):
        return SENSITIVE
    if isinstance(value, list):
        return [shown(item, False) for item in value]
    if isinstance(value, Mapping):
        return {key: shown(item, False) for key, item in value.items()}
    return value
