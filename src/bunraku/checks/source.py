"""Findings with the line that they are about."""

from __future__ import annotations

import re

from bunraku.base.errors import Diagnostic, Issue, PuppetError, Severity
from bunraku.base.source import Source


def finding(
    issue: Issue,
    source: Source,
    line: int | None,
    severity: Severity = "error",
    **arguments: object,
) -> Diagnostic:
    """Return a finding about a line of a file, which is shown with it."""
    found = issue.diagnostic(None, severity, **arguments)
    return at_line(found, source, line)


def at_line(found: Diagnostic, source: Source, line: int | None) -> Diagnostic:
    """Return a finding with the place and the text of a line."""
    found.file, found.line = source.path, line
    if line is not None and 1 <= line <= source.text.count("\n") + 1:
        text = source.line_text(line)
        start = source.offset(line, 0)
        inner = text.rstrip()
        indent = len(inner) - len(inner.lstrip())
        found.shown = source.span(start + indent, start + max(len(inner), indent))
    return found


def found_by(error: PuppetError, source: Source) -> Diagnostic:
    """Return the finding of an error that some reader of the file raised."""
    file, line, _column = error.diagnostic.place()
    return at_line(error.diagnostic, source, line if file in {None, source.path} else None)


def line_of(text: str, pattern: str) -> int | None:
    """Return the first line that matches a pattern."""
    found = re.search(pattern, text, re.MULTILINE)
    return None if found is None else text.count("\n", 0, found.start()) + 1
