"""From text to a checked syntax tree: what validate, dump and batch have in common."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from importlib import import_module

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_typing import Any
from bunraku.base.records import replace
from bunraku.base.source import Source
from bunraku.cli.options.shared import UsageError
from bunraku.syntax.grammars import check, parse
from bunraku.syntax.nodes import Program
from bunraku.syntax.rules import DIALECTS, Dialect


class UnknownDialect(Exception):
    """A dialect that there is not; the message names it."""


def dialect_named(language: str, follow: str, *, tasks: bool = False) -> Dialect:
    """The dialect of a ``--language`` and a ``--follow``.

    >>> dialect_named("8", "puppet", tasks=True).tasks
    True
    """
    dialect = DIALECTS.get((language, follow))
    if dialect is None:
        if follow not in {"puppet", "documents"}:
            raise UnknownDialect(f"follow must be puppet or documents, not {follow!r}")
        known = ", ".join(dict.fromkeys(name for name, _ in DIALECTS))
        raise UnknownDialect(f"language {language} is not supported (supported: {known})")
    return replace(dialect, tasks=True) if tasks else dialect


def dialect_for(options: argparse.Namespace) -> Dialect:
    """The dialect that the options name; ``UsageError`` for one that there is not."""
    try:
        return dialect_named(options.language or "8", options.follow, tasks=options.tasks)
    except UnknownDialect as error:
        raise UsageError(str(error)) from error


def compile_regexp(pattern: str) -> object:
    """See :func:`bunraku.syntax.check.check.check`; most manifests hold no regular expression."""
    compiled: object = import_module("bunraku.values.regexp.regexp").Regexp(pattern).compile()
    return compiled


def check_source(
    source: Source,
    dialect: Dialect,
    settings: Mapping[str, Any],
    *,
    epp: bool,
    modulepath: Iterable[str | tuple[str, str]] = (),
) -> tuple[Program, list[Diagnostic]]:
    """The syntax tree of a manifest or template, and all that is wrong with it.

    What does not parse is not checked any further: the tree has holes.
    """
    source.is_template = epp
    source.language = dialect.name
    result = parse(source, dialect)
    findings = list(result.diagnostics)
    if not any(finding.severity == "error" for finding in findings):
        findings += check(result.program, dialect, settings, modulepath, compile_regexp)
    return result.program, findings
