"""The functions of Puppet 3.8's future parser: those of Puppet 3, and those that came with the parser."""

from __future__ import annotations

from bunraku.dialects.puppet_3.functions import future_parser
from bunraku.dialects.puppet_3.functions import library as library_legacy
from bunraku.dialects.puppet_3.functions.standard import with_symbols
from bunraku.functions import library
from bunraku.functions.stdlib.index import ALL_KINDS, OLD_KIND, stdlib_function
from bunraku.functions.versions import DIALECTS
from bunraku.runtime.registry import BuiltinFunction

FUNCTION_KINDS = library.FUNCTION_KINDS - {"puppet"}
"""The kinds of files in modules that functions are read from: none in the Puppet language."""
CALLABLE = DIALECTS["3.8-future"]
AS_TODAY = frozenset({"defined", "hiera", "hiera_array", "hiera_hash", "hiera_include", "scanf"})
OLD: frozenset[str] = frozenset(
    name
    for name, family in library_legacy.FAMILIES.items()
    if family != "future" and name not in AS_TODAY
)


def builtin_function(name: str) -> BuiltinFunction | None:
    """A core function by name.

    >>> builtin_function("notice").name, builtin_function("upcase")
    ('notice', None)
    """
    own: BuiltinFunction | None = future_parser.function.get(name)
    if own is not None:
        return own
    if name in OLD:
        return library_legacy.builtin_function(name)
    return library.builtin_function(name) if name in CALLABLE else None


def stdlib_builtin(
    name: str, version: str | None, kinds: frozenset[str] = ALL_KINDS
) -> BuiltinFunction | None:
    """Return a function of the standard library as a version of that module has it; those of the old
    kind get undef inside arrays as Puppet 3's do.
    """
    known = library_legacy.stdlib_version(version)
    found = stdlib_function(name, known, kinds)
    if found is not None and found is stdlib_function(name, known, OLD_KIND):
        return with_symbols(found)
    return found
