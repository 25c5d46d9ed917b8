"""Reports of a migration: text, JSON, SARIF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import unified_diff

from bunraku.base.errors import Diagnostic
from bunraku.base.excerpt import visible
from bunraku.cli.diff.text import lines_of
from bunraku.cli.output.output import STYLES, Paint
from bunraku.cli.report.findings import one_report
from bunraku.formats.json import clean_json_text
from bunraku.jobs.change_groups import marked
from bunraku.jobs.migration_data import (
    changed_files,
    comparisons,
    edited_text,
    migration_data,
    reach,
    replacement,
    severity,
)
from bunraku.jobs.sarif import sarif_report
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


def summary(found: Migration, *, fixed: bool = False) -> str:
    """Return how many findings there are."""
    counts = Counter(finding.rule.id for finding in found.findings)
    if not counts:
        return "nothing differs\n" if not found.changed and not found.failed else ""
    rules = ", ".join(f"{count} {rule}" for rule, count in sorted(counts.items()))
    total, edits = sum(counts.values()), sum(finding.fixed for finding in found.findings)
    state = f"{edits} fixed, {total - edits} left" if fixed else f"{edits} with an edit"
    return f"{total} finding{'s' * (total != 1)}, {state}: {rules}\n"


def as_json(found: Migration, _paint: Paint, *, fixed: bool) -> str:
    """Return the findings and the nodes for programs."""
    return clean_json_text(migration_data(found, fixed=fixed))


def as_sarif(found: Migration, _paint: Paint, *, fixed: bool) -> str:
    """Return findings as SARIF; when files were edited, those that are left."""
    left = [item for item in found.findings if not (fixed and item.fixed)]
    failures = [one.failure for one in found.outcomes if one.failure is not None]
    return sarif_report([*(diagnostic(item, with_edit=True) for item in left), *failures])
