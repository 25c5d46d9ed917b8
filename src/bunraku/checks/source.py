"""Findings with the line that they are about."""

from __future__ import annotations

from bunraku.base.errors import Diagnostic, Issue, PuppetError, Severity
from bunraku.base.source import Place, Source


def finding(
    issue: Issue,
    source: Source,
    line: int | None,
    severity: Severity = "error",
    **arguments: object,
) -> Diagnostic:
    """Return a finding about a line of a file, which is shown with it."""
    return issue.diagnostic(line_place(source, line), severity, **arguments)


def line_place(source: Source, line: int | None, column: int | None = None) -> Place:
    """Return the place of a line of a file, with its text."""
    shown = None
    if line is not None and 1 <= line <= source.text.count("\n") + 1:
        text = source.line_text(line)
        start = source.offset(line, 0)
        inner = text.rstrip()
        indent = len(inner) - len(inner.lstrip())
        shown = source.span(start + indent, start + max(len(inner), indent))
    return Place(source.path, line, column, shown=shown)


def found_by(error: PuppetError, source: Source) -> Diagnostic:
    """Return the finding of an error that some reader of the file raised."""
    found, place = error.diagnostic, error.place
    if place.span is not None:
        return found
    if place.file in {None, source.path}:
        return found.at(line_place(source, place.line, place.column), replaces=True)
    return found.at(Place(source.path), replaces=True)
