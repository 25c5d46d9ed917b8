"""Faults of a new catalog that the old one does not have: an agent would fail, or a secret is public."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.apply.validate import wrong_values
from bunraku.base.errors import Diagnostic
from bunraku.base.file_reading import text_on_disk
from bunraku.base.paths import relative
from bunraku.base.source import Place
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.compare import ComparedResource, Difference, resources
from bunraku.jobs.compare_sources import StateContents, missing_sources
from bunraku.workbench.ci.issues import SECRET_EXPOSED, SECRET_SHOWN, SOURCE_NOT_FOUND

Data = Mapping[str, Any]
SHORTEST_SECRET = 6
"""Shorter values occur by chance."""


def problems_of(
    old: Data, new: Data, difference: Difference, contents: StateContents | None
) -> list[Diagnostic]:
    """Return the faults that only the new catalog has; secrets that became public come first."""
    before, after = resources(old), resources(new)
    found = [
        *exposed_secrets(difference, after),
        *shown_secrets(before, after, difference),
        *new_values(before, after, difference),
    ]
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
                place = attribute_place(after[resource.reference], change.name)
                yield SECRET_EXPOSED.diagnostic(
                    place, "error", name=change.name, resource=resource.reference
                )


def shown_secrets(
    before: Mapping[str, ComparedResource],
    after: Mapping[str, ComparedResource],
    difference: Difference,
) -> Iterator[Diagnostic]:
    """Yield a finding for each resource that differs and shows a secret of the catalog."""
    secrets = {
        text for side in (before, after) for one in side.values() for text in secrets_of(one)
    }
    if not secrets:
        return
    for reference in (one.reference for one in (*difference.added, *difference.changed)):
        here, there = (shown_values(side.get(reference)) for side in (before, after))
        for name, value in there.items():
            if any(secret in value and secret not in here.get(name, "") for secret in secrets):
                resource = reference if name != "title" else after[reference]["type"]
                place = attribute_place(after[reference], name)
                yield SECRET_SHOWN.diagnostic(place, "error", name=name, resource=resource)
                break


def secrets_of(resource: ComparedResource) -> Iterator[str]:
    """Yield the texts of the sensitive parameters of a resource that are long enough to be known again."""
    parameters = resource.get("parameters") or {}
    for name in resource.get("sensitive_parameters") or ():
        value = parameters.get(name)
        if isinstance(value, str) and len(value) >= SHORTEST_SECRET and "\n" not in value:
            yield value


def shown_values(resource: ComparedResource | None) -> dict[str, str]:
    """Return the title and the parameters that are not sensitive, as texts."""
    if resource is None:
        return {}
    hidden = resource.get("sensitive_parameters") or ()
    parameters = resource.get("parameters") or {}
    found = {name: str(value) for name, value in parameters.items() if name not in hidden}
    return {"title": str(resource["title"]), **found}


def attribute_place(resource: ComparedResource, name: str) -> Place:
    """Return where a resource sets an attribute."""
    return attribute_at(declaration_place(resource), name)


def attribute_at(start: Place, name: str) -> Place:
    """Return the place of an attribute of the resource at a place; that place if it sets none there."""
    if not start.file or not start.line or not name or not os.path.isfile(start.file):
        return start
    lines = text_on_disk(start.file).split("\n")[start.line - 1 :]
    for number, line in enumerate(lines, start.line):
        if re.search(rf"(?:^|[\s{{,]){re.escape(name)}\s*=>", line):
            return Place(start.file, number)
        if number > start.line and re.match(r"\s*(?:[\w:@]+ *\{|\}\s*$)", line):
            break
    return start


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
            name = str(one.arguments.get("name", ""))
            yield one.at(
                attribute_at(Place(one.file and relative(one.file), one.line), name), replaces=True
            )


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
                attribute_place(resource, "source"), "error", source=missing, resource=reference
            )


def declaration_place(resource: ComparedResource) -> Place:
    """Return where a resource is declared."""
    file = resource.get("file")
    return Place(file and relative(file), resource.get("line"))
