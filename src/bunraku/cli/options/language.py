"""The dialect that the options ``--language`` and ``--follow`` name."""

from __future__ import annotations

import argparse

from bunraku.base.usage import UsageError
from bunraku.dialects.dialect import Dialect, UnknownDialect, dialect_named


def dialect_for(options: argparse.Namespace) -> Dialect:
    """Return the dialect that the options name; raise UsageError for an unknown one."""
    try:
        dialect = dialect_named(options.language, options.follow)
    except UnknownDialect as error:
        raise UsageError(str(error)) from error
    return dialect.with_syntax(tasks=True) if options.tasks else dialect
