"""Faults of a new catalog that the old one does not have: an agent would fail, or a secret is public."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.apply.validate import wrong_values
from bunraku.base.errors import Diagnostic
from bunraku.base.paths import relative
from bunraku.base.source import Place
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.compare import ComparedResource, Difference, resources
from bunraku.jobs.compare_sources import StateContents, missing_sources
from bunraku.workbench.ci.issues import SECRET_EXPOSED, SOURCE_NOT_FOUND

Data = Mapping[str, Any]


def problems_of(
    old: Data, new: Data, difference: Difference, contents: StateContents | None
) -> list[Diagnostic]:
    """Return the faults that only the new catalog has; secrets that became public come first."""
    before, after = resources(old), resources(new)
    found = [*exposed_secrets(difference, after), *new_values(before, after, difference)]
    if contents is not None:
        found += lost_sources(before, after, contents)
    return found


def exposed_secrets(
    difference: Difference, after: Mapping[str, ComparedResource]
) -> Iterator[Diagnostic]:
    """Yield a finding for each parameter that was Sensitive."""
    for resource in difference.changed:
        for change in resource.changes:
            if change.secrecy == "lost":
                place = declaration_place(after[resource.reference])
                yield SECRET_EXPOSED.diagnostic(
                    place, "error", name=change.name, resource=resource.reference
                )


def new_values(
    before: Mapping[str, ComparedResource],
    after: Mapping[str, ComparedResource],
    difference: Difference,
) -> Iterator[Diagnostic]:
    """Yield the values that an agent refuses, of resources that differ."""
    references = [one.reference for one in (*difference.added, *difference.changed)]
    known = {(one.code, one.message) for one in wrong_in(before, references)}
    for one in wrong_in(after, references):
        if (one.code, one.message) not in known:
            place = Place(one.file and relative(one.file), one.line)
            yield one.at(place, replaces=True)


def wrong_in(side: Mapping[str, ComparedResource], references: list[str]) -> list[Diagnostic]:
    """Return the wrong values of some resources of a side."""
    chosen = [side[one] for one in references if one in side]
    return wrong_values(Catalog({"name": "", "resources": chosen})) if chosen else []


def lost_sources(
    before: Mapping[str, ComparedResource],
    after: Mapping[str, ComparedResource],
    contents: StateContents,
) -> Iterator[Diagnostic]:
    """Yield the file resources whose sources do not exist any more, or do not exist and are new."""
    for reference, resource in after.items():
        if resource["type"] != "File":
            continue
        missing = missing_sources(contents.new, resource.get("parameters") or {})
        if missing is None:
            continue
        old = before.get(reference)
        if old is None or missing_sources(contents.old, old.get("parameters") or {}) is None:
            yield SOURCE_NOT_FOUND.diagnostic(
                declaration_place(resource), "error", source=missing, resource=reference
            )


def declaration_place(resource: ComparedResource) -> Place:
    """Return where a resource is declared."""
    file = resource.get("file")
    return Place(file and relative(file), resource.get("line"))
