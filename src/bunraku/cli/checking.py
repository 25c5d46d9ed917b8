"""From text to a checked syntax tree: what validate, dump and batch have in common."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from importlib import import_module

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_typing import Any
from bunraku.base.source import Source
from bunraku.cli.options.shared import UsageError
from bunraku.dialects.dialect import Dialect, UnknownDialect, dialect_named
from bunraku.syntax.nodes import Program


def dialect_for(options: argparse.Namespace) -> Dialect:
    """Return the dialect that the options name; raise UsageError for an unknown one."""
    try:
        dialect = dialect_named(options.language, options.follow)
    except UnknownDialect as error:
        raise UsageError(str(error)) from error
    return dialect.with_syntax(tasks=True) if options.tasks else dialect


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
    result = dialect.parse(source)
    findings = list(result.diagnostics)
    if not any(finding.severity == "error" for finding in findings):
        findings += dialect.check(result.program, settings, modulepath, compile_regexp)
    return result.program, findings
