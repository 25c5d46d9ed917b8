"""The types of a run's modules whose files have only forms that bunraku knows.

Anything else in a file makes the whole type one that bunraku does not have: an installed Puppet then
manages its resources.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from bunraku.base.records import record
from bunraku.providers.ini_children.definitions import (
    NotRecognised,
    ProviderForm,
    TypeForm,
    provider_form,
    type_form,
)
from bunraku.providers.ini_children.parents import (
    EMPTIED,
    FILES,
    INI,
    INI_FILE,
    KNOWN,
    OPENSTACK,
    checksum,
)
from bunraku.providers.ini_file import Emptied
from bunraku.providers.resource_api import NAME, libraries_of
from bunraku.providers.run import Run

MOST_PARENTS = 8
"""The longest chain of parents."""


@record(frozen=True)
class SettingRules:
    """What a provider does: its parent, its file, and how names become sections and settings."""

    name: str
    parent: tuple[str, str]
    path: str
    has_sections: bool = True
    """Whether names have the form ``section/setting``."""
    separator: str | None = None
    quoted: bool = False
    """Whether values get quotes."""
    emptied: Emptied = "bare"
    family: str | None = None


@record(frozen=True)
class Child:
    """A type of a module and the rules of its providers, the preferred one first."""

    type: TypeForm
    rules: tuple[SettingRules, ...]


class Library:
    """The Ruby files of the modules of a run."""

    def __init__(self, run: Run) -> None:
        self.code = run.code
        self.folders = list(libraries_of(run))

    def read(self, path: str) -> str | None:
        """Return the file at a path below a ``lib`` directory, the first one; None if there is none."""
        for folder in self.folders:
            full = posixpath.join(folder, path)
            if self.code.is_file(full):
                return self.code.read(full).decode("utf-8", "surrogateescape")
        return None

    def providers(self, type_name: str) -> Iterator[ProviderForm]:
        """Yield the providers of a type."""
        below = f"puppet/provider/{type_name}"
        names: set[str] = set()
        for folder in self.folders:
            full = posixpath.join(folder, below)
            if self.code.is_directory(full):
                names.update(one for one in self.code.list_directory(full) if one.endswith(".rb"))
        for name in sorted(names):
            yield provider_form(self.read(f"{below}/{name}") or "")

    def checksum(self, path: str) -> str:
        """Return the checksum of a file whose behaviour bunraku knows; NotRecognised for others."""
        found = checksum(self.read(path) or "")
        if found not in KNOWN[path]:
            raise NotRecognised(path)
        return found


def find_child(name: str, run: Run) -> Child | None:
    """Return a type of a run's modules; None if no module has it or bunraku does not know its code."""
    if not NAME.fullmatch(name):
        return None
    if (Library, "") not in run.shared:
        run.shared[Library, ""] = Library(run)
    library: Library = run.shared[Library, ""]
    source = library.read(f"puppet/type/{name}.rb")
    if source is None:
        return None
    try:
        return child_of(name, source, library)
    except NotRecognised:
        return None


def child_of(name: str, source: str, library: Library) -> Child:
    """Return the type for its file; NotRecognised if bunraku does not know all of its code."""
    found = type_form(source, name)
    listed = [one for one in library.providers(name) if one.type == name]
    rules = [rules_of(one, found, library) for one in listed]
    general = [one for one in rules if one.family is None]
    if not rules or len(general) > 1:
        raise NotRecognised(name)
    return Child(found, (*(one for one in rules if one.family is not None), *general))


def rules_of(provider: ProviderForm, kind: TypeForm, library: Library) -> SettingRules:
    """Return the rules of a provider with those that it inherits."""
    decisions, parent = dict(provider.decisions), provider.parent
    for _ in range(MOST_PARENTS):
        if parent in FILES:
            break
        above = [one for one in library.providers(parent[0]) if (one.type, one.name) == parent]
        if len(above) != 1 or above[0].family is not None:
            raise NotRecognised(parent[0])
        decisions, parent = {**above[0].decisions, **decisions}, above[0].parent
    if parent not in FILES:
        raise NotRecognised(parent[0])
    known = {path: library.checksum(path) for path in FILES[parent]}
    check(decisions, parent, kind)
    return SettingRules(
        provider.name,
        parent,
        decisions["path"],
        decisions.get("setting") != "name",
        decisions.get("separator"),
        decisions.get("exists") == "quoted",
        EMPTIED[known[INI_FILE]] if INI_FILE in known else "never",
        provider.family,
    )


def check(decisions: dict[str, str], parent: tuple[str, str], kind: TypeForm) -> None:
    """Raise NotRecognised if a provider and its type do not fit together."""
    names = {one.name for one in kind.attributes}
    value = kind.attribute("value")
    sections = decisions.get("section"), decisions.get("setting")
    quoted = decisions.get("exists") == "quoted"
    is_ini = parent == INI
    right = (
        "path" in decisions
        and sections
        in ({("first", "last"), ("none", "name")} if is_ini else {(None, None), ("first", "last")})
        and value is not None
        and value.many == (parent == OPENSTACK)
        and (is_ini or ("ensure_absent_val" in names and not quoted))
        and (not value.hides or "secret" in names)
        and ("quote" in names) <= quoted
        and (not quoted or {"quote", "ensure_absent_val"} <= names)
        and (not quoted or decisions.get("absent") == "value")
    )
    if not right:
        raise NotRecognised(kind.name)
