"""The resource types that come with Puppet itself, looked up by name.

Three sets, each a JSON file read when first needed: ``core`` is what every Puppet since 6 has,
``vendored`` what its agent package adds as modules (``cron_core`` and its like), ``legacy`` all
types of Puppet 3.8. The facts were asked of Puppet 8.28.1 with the modules of that package, and of
3.8.7.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from bunraku.resources.model import ResourceTypeSchema

FOLDER = Path(__file__).parent / "data"


@cache
def table(which: str) -> dict[str, dict[str, Any]]:
    """One of the sets, by type name, still as JSON data."""
    data: dict[str, dict[str, Any]] = json.loads((FOLDER / f"{which}.json").read_bytes())
    return data


@cache
def entry(which: str, name: str) -> ResourceTypeSchema | None:
    """A type of one of the sets; only what is asked becomes an object."""
    data = table(which).get(name)
    return ResourceTypeSchema.from_dict(data) if data is not None else None


def builtin_resource_type(
    name: str, *, vendored: bool = True, legacy: bool = False
) -> ResourceTypeSchema | None:
    """The schema of a type that Puppet brings along, by its lower-case name; None for all else.

    ``vendored`` tells whether the modules of Puppet's agent package are there; ``legacy`` asks for
    Puppet 3.8, which has them all in itself.

    >>> builtin_resource_type("file").namevars
    ('path',)
    >>> builtin_resource_type("cron", vendored=False) is None
    True
    >>> builtin_resource_type("nagios_host") is None
    True
    >>> builtin_resource_type("nagios_host", legacy=True).namevars
    ('host_name',)
    """
    if legacy:
        return entry("legacy", name)
    found = entry("core", name)
    return entry("vendored", name) if found is None and vendored else found


def builtin_resource_type_names(*, vendored: bool = True, legacy: bool = False) -> list[str]:
    """The names of all types that Puppet brings along, sorted.

    >>> len(builtin_resource_type_names(legacy=True))
    50
    """
    if legacy:
        return sorted(table("legacy"))
    return sorted({*table("core"), *(table("vendored") if vendored else ())})
