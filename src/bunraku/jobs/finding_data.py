"""A finding for programs."""

from __future__ import annotations

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_typing import Any
from bunraku.base.source import Span


def finding_data(finding: Diagnostic) -> dict[str, Any]:
    """Return a finding as JSON data; unknown fields are null."""
    file, line, column = finding.place.where
    end_line, end_column = end_of(finding.span)
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "file": file,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "hint": finding.hint,
        "stack": [
            {
                "name": name,
                "file": span.source.path or None,
                "line": span.line,
                "column": span.column,
            }
            for name, span in finding.stack
        ],
        "declarations": [
            {"resource": around.reference, "file": around.file, "line": around.line}
            for around in finding.declarations
        ],
    }


def end_of(span: Span | None) -> tuple[int | None, int | None]:
    """Return the line and column after the last character of a span."""
    if span is None:
        return None, None
    return span.source.position(max(span.end, span.start))
