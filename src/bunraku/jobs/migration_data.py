"""The result of a migration for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.base.errors import Severity
from bunraku.base.source import Span
from bunraku.jobs.comparison import NodeComparison
from bunraku.jobs.comparison_data import node_data
from bunraku.jobs.finding_data import end_of, finding_data
from bunraku.migrate.findings import Finding
from bunraku.migrate.run import Migration, NodeOutcome


def migration_data(found: Migration, *, fixed: bool) -> dict[str, Any]:
    """Return ``{"schema": 1, "findings": […], "nodes": […]}``."""
    return {
        "schema": 1,
        "fixed": fixed,
        "refuted": found.refutations(),
        "changed_files": [path for path, _count in changed_files(found)] if fixed else [],
        "findings": list(map(migration_finding_data, found.findings)),
        "nodes": list(map(outcome_data, found.outcomes)),
        "code": found.edited.get(""),
    }


def severity(finding: Finding) -> Severity:
    """Return the severity of a finding: an error if the new version rejects the code."""
    return "error" if finding.new.startswith("error") else "warning"


def replacement(finding: Finding) -> str:
    """Return the text with the edits of a finding, as far as it reaches."""
    return edited_text(finding, *reach(finding)).strip("\n")


def reach(finding: Finding) -> tuple[int, int]:
    """Return start and end of a finding with its edits."""
    start = min(finding.span.start, *(edit.start for edit in finding.edits))
    return start, max(finding.span.end, *(edit.end for edit in finding.edits))


def edited_text(finding: Finding, start: int, end: int) -> str:
    """Return a piece of the source with the edits of a finding."""
    text = finding.span.source.text
    pieces: list[str] = []
    at = start
    for edit in sorted(finding.edits, key=lambda item: (item.start, item.end)):
        pieces += text[at : edit.start], edit.text
        at = max(at, edit.end)
    return "".join([*pieces, text[at:end]])


def comparisons(outcome: NodeOutcome) -> Iterator[tuple[str, NodeComparison]]:
    """Yield the comparison of a node's catalogs, after its heading."""
    sides = (
        ("without the edits", outcome.refusal, outcome.difference),
        ("with the edits", outcome.remaining_refusal, outcome.remaining),
    )
    for title, refusal, difference in sides:
        if refusal is not None:
            yield title, NodeComparison(outcome.node, findings=[(outcome.new, refusal)])
        elif difference is not None:
            yield title, NodeComparison(outcome.node, difference)


def changed_files(found: Migration) -> list[tuple[str, int]]:
    """Return the files that have edits, and how many findings these fix."""
    return [
        (path, sum(item.fixed and item.span.source.path == path for item in found.findings))
        for path in found.edited
        if path
    ]


def migration_finding_data(finding: Finding) -> dict[str, Any]:
    """Return a finding as JSON data."""
    line, column = finding.span.position
    end_line, end_column = end_of(finding.span)
    return {
        "rule": finding.rule.id,
        "manual": finding.rule.manual,
        "title": finding.rule.title,
        "change": finding.rule.change,
        "file": finding.span.source.path or None,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "values": list(finding.values),
        "old": finding.old,
        "new": finding.new,
        "instead": finding.rule.instead,
        "replacement": replacement(finding) if finding.edits else None,
        "edits": [
            {**edit_place(finding.span, edit.start, edit.end), "text": edit.text}
            for edit in finding.edits
        ],
        "certain": finding.fixed,
    }


def edit_place(span: Span, start: int, end: int) -> dict[str, int]:
    """Return the position of an edit in lines and columns."""
    (line, column), (end_line, end_column) = map(span.source.position, (start, end))
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}


def outcome_data(outcome: NodeOutcome) -> dict[str, Any]:
    """Return the result of a node as JSON data."""
    return {
        "node": outcome.node,
        "manifest": outcome.manifest or None,
        "failure": None if outcome.failure is None else finding_data(outcome.failure),
        "refusal": None if outcome.refusal is None else finding_data(outcome.refusal),
        "difference": side_data(outcome, 0),
        "remaining_refusal": None
        if outcome.remaining_refusal is None
        else finding_data(outcome.remaining_refusal),
        "remaining": side_data(outcome, 1),
    }


def side_data(outcome: NodeOutcome, side: int) -> Any:
    """Return the catalog difference before (0) or after (1) the edits as JSON data."""
    difference = (outcome.difference, outcome.remaining)[side]
    return None if difference is None else node_data(NodeComparison(outcome.node, difference))
