"""What modules require of each other, by the names and versions in their metadata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.modules.environment import Environment, Module
from bunraku.values.version import SemVer, SemVerRange

ANY_VERSION = ">= 0.0.0"
MISSING, MISMATCH, NOT_SEMANTIC = "missing", "version_mismatch", "non_semantic_version"
KINDS = (NOT_SEMANTIC, MISMATCH, MISSING)
"""Why a requirement is not met, in Puppet's order."""


@record(frozen=True)
class Unmet:
    """A requirement that is not met: its kind, what is required, by which module; what is installed."""

    kind: str
    name: str
    versions: str
    required_by: Module
    installed: str | None


def full_name(module: Module) -> str | None:
    """Return the name with the author, as ``puppetlabs-stdlib``; None without metadata."""
    name = module.metadata.get("name")
    return name.replace("/", "-") if isinstance(name, str) else None


def required(module: Module) -> Iterator[tuple[str, str]]:
    """Yield the full name and the versions of each module that the metadata requires."""
    for entry in module.metadata.get("dependencies") or ():
        name = entry.get("name") if isinstance(entry, Mapping) else None
        if isinstance(name, str):
            yield name.replace("/", "-"), str(entry.get("version_requirement") or ANY_VERSION)


def by_full_name(environment: Environment) -> dict[str, Module]:
    """Return the modules of an environment that have metadata."""
    named = ((full_name(module), module) for module in environment.modules.values())
    return {name: module for name, module in named if name is not None}


def unmet(module: Module, installed: Mapping[str, Module]) -> list[Unmet]:
    """Return the requirements of a module that the installed modules do not meet."""
    found = []
    for name, versions in required(module):
        there = installed.get(name)
        kind = MISSING if there is None else problem(there.version, versions)
        if kind is not None:
            version = None if there is None else there.version
            found.append(Unmet(kind, name, versions, module, version))
    return found


def problem(version: Any, versions: str) -> str | None:
    """Return why a version is not in a range; None if it is.

    >>> problem("1.0.0", ">= 2.0.0"), problem("one", ">= 2.0.0"), problem("2.1.0", "2.x")
    ('version_mismatch', 'non_semantic_version', None)
    """
    try:
        fits = SemVerRange.parse(versions).includes(SemVer.parse(str(version)))
    except PuppetError:
        return NOT_SEMANTIC
    return None if fits else MISMATCH
