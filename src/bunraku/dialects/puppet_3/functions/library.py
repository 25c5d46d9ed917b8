"""The functions of Puppet 3 (dialects 3.0 and 3.8): core ones, and the standard library of its time."""

from __future__ import annotations

from importlib import import_module

from bunraku.dialects.puppet_3.functions.standard import with_symbols
from bunraku.functions import library
from bunraku.functions.stdlib.index import OLD_KIND, stdlib_function
from bunraku.modules.autoload import Kind
from bunraku.runtime.registry import BuiltinFunction

# fmt: off
FAMILIES = {
    # messages
    "alert": "messages", "crit": "messages", "debug": "messages", "emerg": "messages",
    "err": "messages", "fail": "messages", "info": "messages", "notice": "messages",
    "warning": "messages",
    # texts
    "digest": "texts", "fqdn_rand": "texts", "md5": "texts", "regsubst": "texts",
    "scanf": "texts", "sha1": "texts", "shellquote": "texts", "split": "texts",
    "sprintf": "texts", "versioncmp": "texts",
    # catalog
    "contain": "catalog", "create_resources": "catalog", "defined": "catalog",
    "include": "catalog", "realize": "catalog", "require": "catalog", "search": "catalog",
    "tag": "catalog", "tagged": "catalog",
    # data
    "extlookup": "data", "hiera": "data", "hiera_array": "data", "hiera_hash": "data",
    "hiera_include": "data",
    # files
    "file": "files", "generate": "files", "inline_template": "files", "template": "files",
    # future
    "assert_type": "future", "each": "future", "epp": "future", "filter": "future",
    "inline_epp": "future", "lookup": "future", "map": "future", "match": "future",
    "reduce": "future", "slice": "future", "with": "future",
}
# fmt: on
"""Puppet name → module of ``functions/puppet3``."""
FUNCTION_KINDS: frozenset[Kind] = frozenset({"python", "ruby3"})
LAST_STDLIB = (4, 25, 1)
"""The last version of the standard library for Puppet 3."""


def builtin_function(name: str) -> BuiltinFunction | None:
    """A core function by name.

    >>> builtin_function("notice").name, builtin_function("abs")
    ('notice', None)
    """
    family = FAMILIES.get(name)
    if family is None:
        return None
    table: dict[str, BuiltinFunction] = import_module(
        f"bunraku.dialects.puppet_3.functions.{family}"
    ).function
    return table[name]


def stdlib_builtin(
    name: str, version: str | None, kinds: frozenset[str] = OLD_KIND
) -> BuiltinFunction | None:
    """Return a function of the standard library as a version of that module has it."""
    found = stdlib_function(name, stdlib_version(version), kinds & OLD_KIND)
    return None if found is None else with_symbols(found)


def stdlib_version(version: str | None) -> tuple[int, int, int]:
    """The version of the library; where none is stated, the last for Puppet 3."""
    return library.read_version(version) if version else LAST_STDLIB
