"""The dialect of a compile."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from bunraku.base.records import names_of
from bunraku.dialects.dialect import Dialect
from bunraku.dialects.languages import DEFAULT, UnknownDialect, dialect_named
from bunraku.runtime import issues


def find_dialect(language: str | None, follow: str, settings: Mapping[str, Any]) -> Dialect:
    """Return the dialect of a language, changed by two settings; the default is Puppet 8.

    >>> find_dialect("3.8", "puppet", {"tasks": True}).syntax.tasks
    True
    """
    language = language or DEFAULT
    try:
        dialect = dialect_named(language, follow)
    except UnknownDialect:
        raise issues.UNKNOWN_LANGUAGE(language=language, follow=follow) from None
    if settings.get("allow_variables_with_dashes"):
        dialect = dialect.with_syntax(dashes_in_variables=True)
    return dialect.with_syntax(tasks=True) if settings.get("tasks") else dialect


def stable_text(dialect: Dialect) -> str:
    """Return a text that differs between dialects which compile the same text differently."""
    return text_of((dialect.name, dialect.grammar, dialect.syntax, dialect.compiler))


@lru_cache(64)
def text_of(parts: tuple[object, ...]) -> str:
    """Return all that records hold; sets are sorted, as their order differs between processes."""

    def text(value: object) -> str:
        names = names_of(value)
        if names:
            return f"({', '.join(f'{name}={text(getattr(value, name))}' for name in names)})"
        if isinstance(value, frozenset | set):
            return f"{{{', '.join(sorted(map(text, value)))}}}"
        return repr(value)

    return ", ".join(map(text, parts))
