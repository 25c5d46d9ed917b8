"""The dialect of a compile, and the modules that belong to it: helpers and rules, settings, functions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

from bunraku.base.records import names_of, replace
from bunraku.functions.registry import Library
from bunraku.runtime import issues
from bunraku.runtime.rules import Rules
from bunraku.syntax.rules import DIALECTS, Dialect

RUNTIMES = {
    "8": "bunraku.runtime.helpers",
    "3.8-future": "bunraku.dialects.future_parser",
    "3.8": "bunraku.dialects.puppet_3_8",
    "3.0": "bunraku.dialects.puppet_3_8",
}
"""Dialect → the module with the helpers of its compiled code and its rules."""

KNOWN_SETTINGS = {
    "8": "bunraku.modules.settings",
    "3.8-future": "bunraku.dialects.puppet_3.settings",
    "3.8": "bunraku.dialects.puppet_3.settings",
    "3.0": "bunraku.dialects.puppet_3.settings",
}
"""Dialect → the module with its settings and their defaults."""

LIBRARIES = {
    "8": ("bunraku.functions.registry", "PUPPET_8"),
    "3.8-future": ("bunraku.dialects.puppet_3.functions.libraries", "FUTURE_PARSER"),
    "3.8": ("bunraku.dialects.puppet_3.functions.libraries", "PUPPET_3_8"),
    "3.0": ("bunraku.dialects.puppet_3.functions.libraries", "PUPPET_3_0"),
}
"""Dialect → the module with its functions, and the name of the :class:`Library` there."""


def library_of(dialect: Dialect) -> Library:
    """Return the functions of a dialect."""
    module, name = LIBRARIES[dialect.name]
    library: Library = getattr(import_module(module), name)
    return library


def find_dialect(language: str | None, follow: str, settings: Mapping[str, Any]) -> Dialect:
    """Return the dialect of a language, changed as two settings say; the default is Puppet 8.

    >>> find_dialect("3.8", "puppet", {"tasks": True}).tasks
    True
    """
    language = language or "8"
    dialect = DIALECTS.get((language, follow))
    if dialect is None:
        raise issues.UNKNOWN_LANGUAGE(language=language, follow=follow)
    if settings.get("allow_variables_with_dashes"):
        dialect = replace(dialect, dashes_in_variables=True)
    return replace(dialect, tasks=True) if settings.get("tasks") else dialect


def rules_of(dialect: Dialect, rules: Rules) -> Rules:
    """Return the rules of a dialect, from those of its helpers."""
    if not dialect.node_captures:
        rules = replace(rules, node_captures=False)
    if not dialect.words_start_with_digit:
        rules = replace(rules, plain_numbers=True)
    return rules


@lru_cache(64)
def stable_text(dialect: Dialect) -> str:
    """Return all that a dialect holds; sets are sorted, as their order differs between processes."""

    def text(value: Any) -> str:
        names = names_of(value)
        if names:
            return f"({', '.join(f'{name}={text(getattr(value, name))}' for name in names)})"
        if isinstance(value, frozenset | set):
            return f"{{{', '.join(sorted(map(text, value)))}}}"
        return repr(value)

    return text(dialect)
