"""Reports of a migration: text, JSON, SARIF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import unified_diff
from typing import Any

from bunraku.base.errors import Diagnostic, Severity
from bunraku.base.excerpt import visible
from bunraku.base.source import Span
from bunraku.cli.diff.text import STYLES, lines_of, node_data
from bunraku.cli.output.output import Paint
from bunraku.cli.report.findings import as_data, end_of, one_report
from bunraku.cli.report.sarif import sarif_report
from bunraku.formats.json import clean_json_text
from bunraku.jobs.change_groups import marked
from bunraku.jobs.comparison import NodeComparison
from bunraku.migrate.findings import Finding
from bunraku.migrate.run import Migration, NodeOutcome


def diagnostic(finding: Finding, *, with_edit: bool = False) -> Diagnostic:
    """Return a finding in the form that all reports have; ``with_edit`` adds the edit to the hint."""
    parts = [finding.rule.title]
    if finding.values:
        parts.append(f"seen: {', '.join(finding.values)}")
    if finding.old or finding.new:
        parts.append(f"was {finding.old or 'valid'}, becomes {finding.new or 'another value'}")
    hint = finding.rule.instead
    if finding.edits and with_edit:
        hint += f"\nEdit: {replacement(finding) or 'remove it'}"
    return Diagnostic(
        finding.rule.id, "; ".join(parts), finding.span.place, severity(finding), hint
    )


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


def edit_lines(finding: Finding) -> list[str]:
    """Return the edits of a finding as they are shown: a line, or the lines that change.

    >>> from bunraku.base.text_edits import Edit
    >>> from bunraku.migrate.rules import TITLES
    >>> from bunraku.base.source import Source
    >>> source = Source("$a = 1\\n")
    >>> edit_lines(Finding(TITLES, source.span(5, 6), edits=(Edit(5, 6, "'1'"),)))
    ["'1'"]
    """
    start, end = reach(finding)
    text = finding.span.source.text
    new = edited_text(finding, start, end)
    if "\n" not in text[start:end].strip("\n") and "\n" not in new.strip("\n"):
        return [new.strip() or "(remove it)"]
    start = text.rfind("\n", 0, start) + 1
    end = text.find("\n", end) if text.find("\n", end) >= 0 else len(text)
    before, after = text[start:end].splitlines(), edited_text(finding, start, end).splitlines()
    return list(unified_diff(before, after, lineterm="", n=1))[3:]


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


def as_text(found: Migration, paint: Paint, *, fixed: bool) -> str:
    """Return the report for people; findings that were fixed are counted only."""
    left = [finding for finding in found.findings if not (fixed and finding.fixed)]
    parts = [finding_text(finding, paint) for finding in left]
    parts += [
        "".join(f"{line}\n" for line in node_lines(outcome, paint, fixed))
        for outcome in found.outcomes
    ]
    files = [
        f"changed: {visible(path)} ({count} edit{'s' * (count != 1)})\n"
        for path, count in changed_files(found)
        if fixed
    ]
    parts.append("".join(files) + summary(found, fixed=fixed))
    if fixed and "" in found.edited:
        parts.append(f"{found.edited['']}\n")
    return "\n".join(part for part in parts if part)


def finding_text(finding: Finding, paint: Paint) -> str:
    """Return the report of a finding, with its edit on separate lines."""
    text = one_report(diagnostic(finding), paint)
    if not finding.edits:
        return text
    first, *rest = edit_lines(finding)
    label = paint("green", "edit")
    if not rest:
        return f"{text}  {label}: {visible(first)}\n"
    lines = "".join(
        f"    {paint(STYLES.get(line[:1], ''), visible(line))}\n" for line in (first, *rest)
    )
    return f"{text}  {label}:\n{lines}"


def node_lines(outcome: NodeOutcome, paint: Paint, fixed: bool) -> Iterator[str]:
    """Yield the lines about a node's catalogs; for fixed code, the catalog with the edits."""
    name = visible(outcome.node)
    if outcome.failure is not None:
        yield f"{name}: the old language does not compile it:"
        yield one_report(outcome.failure, paint).rstrip("\n")
    for title, comparison in list(comparisons(outcome))[1 if fixed else 0 :]:
        if comparison.status == "same":
            yield f"{name}: the same catalog {title}"
            continue
        yield paint("bold", f"{name}: catalogs differ {title}")
        for mark, text in marked(lines_of(comparison)):
            yield "  " + (paint(STYLES[mark], text) if mark else text)


def changed_files(found: Migration) -> list[tuple[str, int]]:
    """Return the files that have edits, and how many findings these fix."""
    return [
        (path, sum(item.fixed and item.span.source.path == path for item in found.findings))
        for path in found.edited
        if path
    ]


def summary(found: Migration, *, fixed: bool = False) -> str:
    """Return how many findings there are."""
    counts = Counter(finding.rule.id for finding in found.findings)
    if not counts:
        return "nothing differs\n" if not found.changed and not found.failed else ""
    rules = ", ".join(f"{count} {rule}" for rule, count in sorted(counts.items()))
    total, edits = sum(counts.values()), sum(finding.fixed for finding in found.findings)
    state = f"{edits} fixed, {total - edits} left" if fixed else f"{edits} with an edit"
    return f"{total} finding{'s' * (total != 1)}, {state}: {rules}\n"


def finding_data(finding: Finding) -> dict[str, Any]:
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
        "failure": None if outcome.failure is None else as_data(outcome.failure),
        "refusal": None if outcome.refusal is None else as_data(outcome.refusal),
        "difference": side_data(outcome, 0),
        "remaining_refusal": None
        if outcome.remaining_refusal is None
        else as_data(outcome.remaining_refusal),
        "remaining": side_data(outcome, 1),
    }


def side_data(outcome: NodeOutcome, side: int) -> Any:
    """Return the catalog difference before (0) or after (1) the edits as JSON data."""
    difference = (outcome.difference, outcome.remaining)[side]
    return None if difference is None else node_data(NodeComparison(outcome.node, difference))


def as_json(found: Migration, _paint: Paint, *, fixed: bool) -> str:
    """Return ``{"schema": 1, "findings": […], "nodes": […]}``."""
    return clean_json_text(
        {
            "schema": 1,
            "fixed": fixed,
            "refuted": found.refutations(),
            "changed_files": [path for path, _count in changed_files(found)] if fixed else [],
            "findings": list(map(finding_data, found.findings)),
            "nodes": list(map(outcome_data, found.outcomes)),
            "code": found.edited.get(""),
        }
    )


def as_sarif(found: Migration, _paint: Paint, *, fixed: bool) -> str:
    """Return findings as SARIF; when files were edited, those that are left."""
    left = [item for item in found.findings if not (fixed and item.fixed)]
    failures = [one.failure for one in found.outcomes if one.failure is not None]
    return sarif_report([*(diagnostic(item, with_edit=True) for item in left), *failures])
