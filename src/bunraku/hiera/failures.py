"""Errors of lookups as Puppet reports them."""

from __future__ import annotations

from bunraku.base.errors import GENERAL_CODE, PuppetError
from bunraku.hiera import issues
from bunraku.runtime.error_places import in_puppet_code

UNPLACED = (
    issues.ALIAS_NOT_WHOLE,
    issues.BACKEND_3_NOT_GLOBAL,
    issues.BACKEND_3_REPLACED,
    issues.BACKEND_TWICE,
    issues.BAD_CONVERT_TYPE,
    issues.CONVERT_FAILED,
    issues.DEFAULTS_NOT_IN_MODULE,
    issues.DIG_MISMATCH,
    issues.FUNCTION_NOT_FOUND,
    issues.INVALID_KEY,
    issues.LEVEL_TWICE,
    issues.LOOKUP_OPTIONS_NO_HASH,
    issues.METHOD_NOT_ALLOWED,
    issues.NO_BACKEND,
    issues.NO_FUNCTION,
    issues.RECURSIVE_LOOKUP,
    issues.RESERVED_DEFAULT_OPTION,
    issues.RESERVED_OPTION,
    issues.SEVERAL_DEFAULT_FUNCTIONS,
    issues.SEVERAL_FUNCTIONS,
    issues.SEVERAL_LOCATIONS,
    issues.UNKNOWN_METHOD,
    issues.UNPARSABLE_DATA,
    issues.UNSUPPORTED_VERSION,
    issues.VERSION_3_NOT_GLOBAL,
    issues.VERSION_4_GLOBAL,
)
"""Errors that Puppet raises as its ``LookupError`` with a code, or outside of a level; others are those of a call."""


def take_place(error: PuppetError) -> None:
    """Note that Puppet reports no place for some errors of a lookup, unless they are in Puppet code."""
    form = error.diagnostic.in_puppet.form
    if error.diagnostic.in_puppet.code is not None:
        return
    if form == "evaluated" and any(map(error.is_a, UNPLACED)) and not in_puppet_code(error):
        error.having_in_puppet(form="unplaced")


def note_layer(error: PuppetError, key: str) -> None:
    """Note that an endless lookup was found in the global layer, where Puppet reports it as a call's."""
    in_puppet = error.diagnostic.in_puppet
    if error.is_a(issues.RECURSIVE_LOOKUP) and in_puppet.code is None:
        words = f"Lookup of key '{key}' failed: {in_puppet.words}"
        error.having_in_puppet(code=GENERAL_CODE, words=words, form="evaluated")
