"""Characters that a database refuses, and what invalid UTF-8 became: U+FFFD, with a warning.

PuppetDB stores U+FFFD for NUL in values. In names (of facts, types, titles, tags) it fails, and so
these commands are refused here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bunraku.puppetdb.commands.failure import unstorable
from bunraku.puppetdb.json_values import REPLACEMENT, Json, storable

NUL = "\0"
MOST_WARNINGS = 10


def without_flaws(command: str, payload: Json, warn: Callable[[str], None]) -> Json:
    """Return the payload with storable characters only; warn of each place that has a U+FFFD.

    Raise PuppetError if a name contains NUL.
    """
    if not isinstance(payload, dict):
        return storable(payload)
    if command == "replace catalog":
        check_names("catalog", names_of_catalog(payload))
    if command == "replace facts":
        check_names("factset", object_of(payload, "values"))
    cleaned = storable(payload)
    if isinstance(cleaned, dict):
        places = [*places_of_catalog(cleaned), *places_of_facts(cleaned)] or ["its payload"]
        node = f"{command} for {cleaned.get('certname')}"
        for place in places[:MOST_WARNINGS]:
            warn(f"{node}: invalid UTF-8 or a NUL character in {place} is stored as U+FFFD")
        if len(places) > MOST_WARNINGS:
            warn(f"{node}: the same in {len(places) - MOST_WARNINGS} other places")
    return cleaned


def check_names(what: str, names: Iterator[str] | dict[str, Json]) -> None:
    """Refuse names that contain NUL."""
    for name in names:
        if NUL in name:
            shown = name.replace(NUL, "\\u0000")
            raise unstorable(what, f"the name '{shown}' contains a NUL character")


def names_of_catalog(payload: dict[str, Json]) -> Iterator[str]:
    """Yield the types, titles and tags of the resources in a catalog."""
    for resource in resources_of(payload):
        tags = resource.get("tags")
        names = [
            resource.get("type"),
            resource.get("title"),
            *(tags if isinstance(tags, list) else ()),
        ]
        yield from (name for name in names if isinstance(name, str))


def places_of_catalog(payload: dict[str, Json]) -> Iterator[str]:
    """Yield the places in a catalog that have a U+FFFD, as people name them."""
    for resource in resources_of(payload):
        reference = f"{resource.get('type')}[{resource.get('title')}]"
        if REPLACEMENT in reference:
            yield f"the name of {reference}"
        for name, value in object_of(resource, "parameters").items():
            if REPLACEMENT in name or has_replacement(value):
                yield f"parameter '{name}' of {reference}"


def places_of_facts(payload: dict[str, Json]) -> Iterator[str]:
    """Yield the facts that have a U+FFFD."""
    for name, value in object_of(payload, "values").items():
        if REPLACEMENT in name or has_replacement(value):
            yield f"fact '{name}'"


def has_replacement(value: Json) -> bool:
    """Return whether a text in a value contains U+FFFD."""
    if isinstance(value, str):
        return REPLACEMENT in value
    if isinstance(value, list):
        return any(map(has_replacement, value))
    if isinstance(value, dict):
        return any(REPLACEMENT in key or has_replacement(item) for key, item in value.items())
    return False


def resources_of(payload: dict[str, Json]) -> Iterator[dict[str, Json]]:
    """Yield the resources of a catalog, which is not checked yet."""
    resources = payload.get("resources")
    if isinstance(resources, list):
        yield from (item for item in resources if isinstance(item, dict))


def object_of(payload: dict[str, Json], key: str) -> dict[str, Json]:
    """Return an object in a payload that is not checked yet; an empty one if it is missing."""
    value = payload.get(key)
    return value if isinstance(value, dict) else {}
