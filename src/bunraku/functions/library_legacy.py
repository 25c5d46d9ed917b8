"""The functions of Puppet 3 (dialects 3.0 and 3.8): core ones, and the standard library of its time."""

from __future__ import annotations

from importlib import import_module

from bunraku.functions import library
from bunraku.functions.versions import DIALECTS
from bunraku.runtime.registry import BuiltinFunction

# fmt: off
FAMILIES = {
    # messages
    "alert": "messages", "crit": "messages", "debug": "messages", "emerg": "messages",
    "err": "messages", "fail": "messages", "info": "messages", "notice": "messages",
    "warning": "messages",
}
# fmt: on
"""Puppet name → module of ``functions/puppet3``."""
CORE = DIALECTS["3.8"]


def builtin_function(name: str) -> BuiltinFunction | None:
    """A core function by name.

    >>> builtin_function("notice").name, builtin_function("abs")
    ('notice', None)
    """
    family = FAMILIES.get(name)
    if family is None:
        return library.builtin_function(name) if name in CORE else None
    table: dict[str, BuiltinFunction] = import_module(
        f"bunraku.functions.puppet3.{family}"
    ).function
    return table[name]


def stdlib_builtin(name: str, version: str | None) -> BuiltinFunction | None:
    """A function of the standard library as a version of that module has it."""
    return library.stdlib_builtin(name, version)
