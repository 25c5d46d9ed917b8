"""The resource types that come with Puppet itself, looked up by name.

Three sets, each a JSON file read when first needed: ``core`` has the types of every Puppet since 6,
``vendored`` those that its agent packages add as modules (``cron_core`` …), ``puppet_3`` all types
of Puppet 3.8. The data was recorded from Puppet 8.28.1 with the modules of that package, and from
3.8.7. Which of the vendored types count is decided in ``modules/vendored.py``.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.catalog.schema.model import ResourceTypeSchema

FOLDER = f"{os.path.dirname(__file__)}/data"


@cache
def table(which: str) -> dict[str, dict[str, Any]]:
    """Return one set of schemas by type name, as JSON data."""
    with open(f"{FOLDER}/{which}.json", "rb") as file:
        data: dict[str, dict[str, Any]] = json.load(file)
    return data


@remembered(2048)
def entry(which: str, name: str) -> ResourceTypeSchema | None:
    """Return a type of one set; each schema object is made on first use."""
    data = table(which).get(name)
    return ResourceTypeSchema.from_dict(data) if data is not None else None


def builtin_resource_type(name: str, version: str = "core") -> ResourceTypeSchema | None:
    """Return the schema of a type of Puppet itself, by its lower-case name; None for all else.

    ``version`` is ``core``, or ``puppet_3`` for Puppet 3.8, which has types that later became modules.

    >>> builtin_resource_type("file").namevars
    ('path',)
    >>> builtin_resource_type("cron") is None
    True
    >>> builtin_resource_type("nagios_host", "puppet_3").namevars
    ('host_name',)
    """
    return entry(version, name)


def vendored_resource_type(name: str) -> ResourceTypeSchema | None:
    """Return the schema of a type of the modules that agent packages of Puppet bring.

    >>> vendored_resource_type("sshkey").namevars
    ('type', 'name')
    """
    return entry("vendored", name)


def builtin_resource_type_names(version: str = "core") -> list[str]:
    """Return the names of all types of Puppet itself, sorted.

    >>> len(builtin_resource_type_names("puppet_3"))
    50
    """
    return sorted(table(version))


def vendored_resource_type_names() -> list[str]:
    """Return the names of the types of the modules that agent packages of Puppet bring, sorted."""
    return sorted(table("vendored"))
