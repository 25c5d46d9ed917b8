"""The report of ``bunraku ci`` as one HTML page that needs no other file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bunraku.base.errors import Diagnostic, in_order
from bunraku.cli.ci.text import changes_of
from bunraku.cli.diff.page import page_group
from bunraku.cli.pages import model
from bunraku.cli.pages.model import Badge, Cell, Code, Column, Page, Paragraph, Section, Table, Tile
from bunraku.cli.pages.render import page_html
from bunraku.jobs.change_groups import groups_of
from bunraku.jobs.ci_agreement import Agreement
from bunraku.jobs.ci_result import CiResult
from bunraku.jobs.ci_summary import capitalised, earlier_failures, refusals, unknown, verdict
from bunraku.jobs.comparison import NodeComparison

FINDINGS = (
    Column("Severity", filtered=True, narrow=True),
    Column("Place"),
    Column("Finding"),
    Column("Rule", filtered=True),
)
NODES = (Column("Node"), Column("Result", filtered=True, narrow=True), Column("Changes", "number"))
RESULTS = {
    "broken": Badge("broken", "error"),
    "failed before": Badge("failed before", "warning"),
    "not checked": Badge("not checked", "error"),
    "repaired": Badge("repaired", "good"),
    "differs": Badge("changed", "info"),
    "same": Badge("unchanged"),
}


def as_html(result: CiResult) -> str:
    """Return a page with the findings, the changes of each group of nodes, and the result of each node."""
    return page_html(
        Page(
            capitalised(verdict(result)),
            f"{result.old} → {result.new}",
            tiles(result),
            [one for one in sections(result) if one.parts],
        )
    )


def tiles(result: CiResult) -> list[Tile]:
    """Return the numbers of findings and nodes."""
    same = sum(one.status == "same" for one in result.nodes)
    unchecked = [Tile("nodes not checked", str(len(result.unchecked)), "error")]
    return [
        Tile("files checked", str(result.files)),
        Tile("errors", str(result.errors), "error" if result.errors else "good"),
        Tile("new warnings", str(result.warnings), "warning" if result.warnings else ""),
        Tile("nodes broken", str(len(result.broken)), "error" if result.broken else "good"),
        Tile("nodes changed", str(len(result.changed)), "info" if result.changed else ""),
        Tile("nodes unchanged", str(same)),
        *(unchecked if result.unchecked else []),
        *([puppet_tile(result.against)] if result.against else []),
    ]


def puppet_tile(against: Agreement) -> Tile:
    """Return the number of nodes of which Puppet makes another catalog, or none."""
    count = against.disagreements
    return Tile(f"not as Puppet {against.version}", str(count), "error" if count else "good")


def sections(result: CiResult) -> Iterator[Section]:
    """Yield the parts of the page; those without content are left out.

    What speaks against a change comes first; of a change that passes, what it does.
    """
    texts = unknown(result)
    yield Section("Not checked", [Paragraph(text, "error") for text in texts])
    findings, changes = finding_section("Findings", result.diagnostics()), changes_section(result)
    yield from (changes, findings) if result.passed else (findings, changes)
    notes = (*earlier_failures(result), *refusals(result), *result.notes)
    yield Section("Notes", [Paragraph(text, "info") for text in notes])
    if result.against is not None:
        title = f"Differences from Puppet {result.against.version}"
        yield Section(title, list(map(page_group, groups_of(result.against.different))))
    rows = [node_row(one, result) for one in result.nodes]
    yield Section("Nodes", [Table("The result of each node", NODES, rows)] if rows else [])
    yield finding_section("Gone", in_order(result.gone))
    yield finding_section("Unchanged", in_order(result.unchanged))


def finding_section(title: str, findings: Sequence[Diagnostic]) -> Section:
    """Return the part of the page with some findings."""
    rows = list(map(finding_row, findings))
    return Section(title, [Table(title, FINDINGS, rows)] if rows else [])


def changes_section(result: CiResult) -> Section:
    """Return the part of the page with the changes of each group of nodes."""
    nodes = changes_of(result.comparison).nodes if result.comparison is not None else ()
    return Section("Changes", list(map(page_group, groups_of(nodes))), filtered=True)


def finding_row(finding: Diagnostic) -> tuple[model.CellValue, ...]:
    """Return the row of a finding: its message, the code that it is about, and the hint."""
    file, line, column = finding.place.where
    parts: list[model.Block] = [Paragraph(finding.message)]
    span = finding.place.code
    if span is not None:
        whole, puppet = span.source.text, not file or file.endswith((".pp", ".epp"))
        end = max(span.end, span.start + 1)
        parts.append(Code(whole, span.start, end, (span.start, end), puppet))
    if finding.hint:
        parts.append(model.Labelled("Hint", finding.hint))
    place = model.Place(file, line or 0, column or 0) if file else ""
    badge = Badge(finding.severity, model.SEVERITIES[finding.severity])
    return badge, place, Cell(parts, finding.message), finding.code


def node_row(one: NodeComparison, result: CiResult) -> tuple[model.CellValue, ...]:
    """Return the row of a node."""
    failures = {failure.node: failure for failure in result.failures}
    name = one.status
    if name == "failed":
        failure = failures.get(one.node)
        if failure is None:
            name = "repaired"
        elif failure in result.unchecked:
            name = "not checked"
        else:
            name = "failed before" if failure.before else "broken"
    found = one.difference
    return one.node, RESULTS[name], len(found.added) + len(found.removed) + len(found.changed)
