"""The functions of Puppet 3.0: those of 3.8 but for what came later."""

from __future__ import annotations

from bunraku.dialects.puppet_3.functions import library
from bunraku.dialects.puppet_3.functions.library import FUNCTION_KINDS, stdlib_builtin
from bunraku.functions.versions import DIALECTS
from bunraku.runtime.registry import BuiltinFunction

__all__ = ["FUNCTION_KINDS", "builtin_function", "stdlib_builtin"]

CORE = DIALECTS["3.0"]


def builtin_function(name: str) -> BuiltinFunction | None:
    """A core function by name.

    >>> builtin_function("md5").name, builtin_function("digest")
    ('md5', None)
    """
    return library.builtin_function(name) if name in CORE else None
