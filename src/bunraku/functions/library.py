"""All functions that are written in Python: core ones, and those of the standard library."""

from __future__ import annotations

from importlib import import_module

from bunraku.functions.index import INDEX as CORE_INDEX
from bunraku.functions.index import core_function
from bunraku.functions.stdlib.index import ALL_KINDS as ALL_KINDS_OF_FUNCTIONS
from bunraku.functions.stdlib.index import INDEX as STDLIB_INDEX
from bunraku.functions.stdlib.index import stdlib_function
from bunraku.modules.autoload import ALL_KINDS, Kind
from bunraku.runtime.registry import BuiltinFunction

# Core functions that need the catalog, templates or data: Puppet name → module of this package.
FAMILIES = {
    "contain": "catalog",
    "create_resources": "catalog",
    "defined": "catalog",
    "epp": "templates",
    "eyaml_lookup_key": "lookup",
    "fail": "catalog",
    "hiera": "lookup",
    "hiera_array": "lookup",
    "hiera_hash": "lookup",
    "hiera_include": "lookup",
    "hocon_data": "lookup",
    "include": "catalog",
    "inline_epp": "templates",
    "inline_template": "templates",
    "json_data": "lookup",
    "lookup": "lookup",
    "puppetdb_query": "queries",
    "realize": "catalog",
    "require": "catalog",
    "tag": "catalog",
    "tagged": "catalog",
    "template": "templates",
    "yaml_data": "lookup",
}
FUNCTION_KINDS: frozenset[Kind] = ALL_KINDS
"""The kinds of files in modules that functions are read from."""
LATEST_STDLIB = (9, 7, 0)


def builtin_function(name: str) -> BuiltinFunction | None:
    """A core function by name.

    >>> builtin_function("include").name
    'include'
    """
    family = FAMILIES.get(name)
    if family is None:
        return core_function(name)
    table: dict[str, BuiltinFunction] = import_module(f"bunraku.functions.core.{family}").function
    return table.get(name)


def stdlib_builtin(
    name: str, version: str | None, kinds: frozenset[str] = ALL_KINDS_OF_FUNCTIONS
) -> BuiltinFunction | None:
    """Return a function of the standard library as a version of that module has it."""
    return stdlib_function(name, read_version(version), kinds)


def function_names() -> set[str]:
    """Return the names of all functions that come with bunraku, in any dialect and version."""
    return {*CORE_INDEX, *FAMILIES, *STDLIB_INDEX}


def read_version(text: str | None) -> tuple[int, int, int]:
    """A version's first three numbers; the newest where none is stated.

    >>> read_version("8.5.0")
    (8, 5, 0)
    """
    parts = (text or "").split("-")[0].split(".")
    if len(parts) < 3 or not all(part.isdigit() for part in parts[:3]):
        return LATEST_STDLIB
    return int(parts[0]), int(parts[1]), int(parts[2])
