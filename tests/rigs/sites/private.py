"""The data that a site keeps elsewhere: made up for the types that its manifests declare.

They are the last level of the hierarchy, so all that the repository says wins. Keys that
the data of a module may have, and those that are merged, get values only where Puppet reports them as missing:
made-up data of the site would come before those of modules, and be merged with those of machines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from rigs.sites.definitions import Definitions, interpolated_keys
from rigs.sites.layout import Site, load
from rigs.sites.values import Impossible, Inventor, is_sensitive

NOT_FOUND = re.compile(r"did not find a value for the name '([^']+)'")
EXPECTED = re.compile(r"Class\[([\w:]+)\]: (?:parameter|expects a value for parameter) '(\w+)'")
MANY = re.compile(r"Class\[([\w:]+)\]:\n((?:  .*\n?)+)")
ONE = re.compile(r"^  (?:expects a value for )?parameter '(\w+)'", re.MULTILINE)


def made_up(site: Site, found: Definitions, given: Mapping[str, Any]) -> dict[str, Any]:
    """Key → value: the given ones, and one for each key without a default value."""
    data: dict[str, Any] = {}
    with_data = {name for name, path in site.modules().items() if (path / "hiera.yaml").exists()}
    merged = merged_keys(site, found)
    for key in sorted({*found.wanted, *interpolated_keys(site.data_files())}):
        if "::" in key and key.partition("::")[0] in with_data:
            continue
        if key.partition(".")[0] not in merged:
            supply(data, key, found)
    return {**data, **given}


def merged_keys(site: Site, found: Definitions) -> set[str]:
    """The keys that the site has data for and that are merged over the levels."""
    known: set[str] = set()
    merged = set(found.merged)
    for path in site.data_files():
        content = load(path)
        if isinstance(content, dict):
            known.update(map(str, content))
            options = content.get("lookup_options")
            merged.update(options if isinstance(options, dict) else ())
    return known & merged


def supply(data: dict[str, Any], key: str, found: Definitions) -> bool:
    """Make up the value of a key; False where there is none of its type."""
    kind = found.wanted.get(key)
    try:
        value = Inventor(found.aliases).value(kind, key)
    except Impossible:
        return False
    put(data, key, value)
    if is_sensitive(kind):
        options = {**data.get("lookup_options", {}), key: {"convert_to": "Sensitive"}}
        data["lookup_options"] = options
    return True


def put(data: dict[str, Any], key: str, value: Any) -> None:
    """Give a key a value, below other hashes where it has dots."""
    *path, last = key.split(".")
    place = data
    for part in path:
        inner = place.setdefault(part, {})
        if not isinstance(inner, dict):
            return
        place = inner
    place.setdefault(last, value)


def missing_keys(message: str) -> Iterable[str]:
    """The keys that an error of Puppet's says are missing."""
    yield from NOT_FOUND.findall(message)
    for name, parameter in EXPECTED.findall(message):
        yield f"{name.lower()}::{parameter}"
    for name, lines in MANY.findall(message):
        yield from (f"{name.lower()}::{parameter}" for parameter in ONE.findall(lines))
