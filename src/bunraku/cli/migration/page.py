"""Reports of a migration as one HTML page that needs no other file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bunraku.base.errors import Severity
from bunraku.base.paths import relative
from bunraku.cli.diff.page import change_entries
from bunraku.cli.output.output import Paint
from bunraku.cli.pages.changes import texts_diff
from bunraku.cli.pages.model import (
    SEVERITIES,
    Badge,
    Block,
    Cell,
    CellValue,
    Code,
    Column,
    Group,
    Labelled,
    Listing,
    Page,
    Paragraph,
    Place,
    Section,
    Table,
    Tile,
)
from bunraku.cli.pages.render import page_html
from bunraku.jobs.migration_data import changed_files, comparisons, edited_text, reach, severity
from bunraku.migrate.findings import Finding
from bunraku.migrate.rules import Rule
from bunraku.migrate.run import Migration, NodeOutcome

FINDINGS = (
    Column("Severity", filtered=True, narrow=True),
    Column("Place"),
    Column("Rule", filtered=True),
    Column("Code and change"),
)
RULES = (
    Column("Rule"),
    Column("Findings", "number"),
    Column("With an edit", "number"),
    Column("What changes, and what to write instead"),
)
FILES = (Column("File"), Column("Edits", "number"))


def as_html(found: Migration, _paint: Paint, *, fixed: bool) -> str:
    """Return a page with the rules, each finding with its edit, and the catalogs of each node compared."""
    sections = [
        Section("Verification of the edits", refutations(found)),
        Section("Changed files", files(found) if fixed else []),
        Section("Rules", rules(found)),
        Section("Findings", findings(found, fixed)),
        Section("Nodes", nodes(found), filtered=True),
    ]
    return page_html(
        Page(
            f"Migration to {found.version}",
            "Code that means something else in the new version, and the edits that keep its meaning.",
            tiles(found, fixed),
            [section for section in sections if section.parts],
        )
    )


def tiles(found: Migration, fixed: bool) -> list[Tile]:
    """Return the numbers of findings and of nodes."""
    counts = Counter(severity(finding) for finding in found.findings)
    edits = sum(finding.fixed for finding in found.findings)
    failed = sum(outcome.failure is not None for outcome in found.outcomes)
    rejected = sum(outcome.refusal is not None for outcome in found.outcomes)
    return [
        Tile("errors", str(counts["error"]), "error" if counts["error"] else ""),
        Tile("warnings", str(counts["warning"]), "warning" if counts["warning"] else ""),
        Tile("fixed" if fixed else "with a safe edit", str(edits), "good" if edits else ""),
        Tile("nodes", str(len(found.outcomes))),
        Tile("fail in the old version", str(failed), "error" if failed else ""),
        Tile("fail in the new version", str(rejected), "error" if rejected else ""),
    ]


def refutations(found: Migration) -> list[Block]:
    """Return the reasons why the edits failed verification."""
    reasons = found.refutations() if found.edited else []
    if not reasons:
        return []
    return [
        Paragraph("The edits failed verification:", "error"),
        *(Paragraph(reason) for reason in reasons),
    ]


def files(found: Migration) -> list[Block]:
    """Return the files that were changed."""
    rows = [(Place(path), count) for path, count in changed_files(found)]
    return [Table("Files and the number of their edits", FILES, rows)] if rows else []


def rules(found: Migration) -> list[Block]:
    """Return the rules that have findings, each explained once."""
    by_rule: dict[str, tuple[Rule, list[Finding]]] = {}
    for finding in found.findings:
        by_rule.setdefault(finding.rule.id, (finding.rule, []))[1].append(finding)
    rows: list[tuple[CellValue, ...]] = [
        (
            Cell([Paragraph(rule.title), Badge(rule.id)], rule.title),
            len(having),
            sum(bool(finding.edits) for finding in having),
            Cell([Paragraph(rule.change), Paragraph(f"Instead: {rule.instead}.")], rule.change),
        )
        for _name, (rule, having) in sorted(by_rule.items())
    ]
    return [Table("Differences between the versions that were found", RULES, rows)] if rows else []


def findings(found: Migration, fixed: bool) -> list[Block]:
    """Return the table of findings."""
    rows = [finding_row(finding, fixed) for finding in found.findings]
    return [Table("Constructs, each once", FINDINGS, rows)] if rows else []


def finding_row(finding: Finding, fixed: bool) -> tuple[CellValue, ...]:
    """Return a finding: severity, place, rule, and the code with what was seen and the edit."""
    state: Severity = severity(finding)
    line, column = finding.span.position
    badge = Badge("fixed", "good") if fixed and finding.fixed else Badge(state, SEVERITIES[state])
    rule = Cell([Paragraph(finding.rule.title)], finding.rule.title)
    place = Place(finding.span.source.path or "-e", line, column)
    return badge, place, rule, Cell(list(details(finding)))


def details(finding: Finding) -> Iterator[Block]:
    """Yield the code of a finding or its edit, and what was seen."""
    span = finding.span
    if finding.edits:
        yield edit_diff(finding)
    else:
        marked = span.start, span.end
        puppet = span.source.path.endswith(".pp") or not span.source.path
        yield Code(span.source.text, *marked, marked, puppet)
    if finding.values:
        yield Labelled("Seen:", ", ".join(finding.values))
    if finding.old or finding.new:
        yield Labelled("Was:", finding.old or "valid")
        yield Labelled("Becomes:", finding.new or "another value")


def edit_diff(finding: Finding) -> Block:
    """Return the lines that the edits of a finding change."""
    start, end = reach(finding)
    text = finding.span.source.text
    start = text.rfind("\n", 0, start) + 1
    end = text.find("\n", end) if text.find("\n", end) >= 0 else len(text)
    first = finding.span.source.line(start)
    return texts_diff(text[start:end], edited_text(finding, start, end), context=1, first=first)


def nodes(found: Migration) -> list[Block]:
    """Return the nodes that need attention, then the names of those with the same catalogs."""
    same = [outcome for outcome in found.outcomes if is_same(outcome)]
    groups: list[Block] = [node_group(one) for one in found.outcomes if not is_same(one)]
    names = list(map(node_title, same))
    return [*groups, *([Listing(names, "The same catalog in both versions")] if names else [])]


def is_same(outcome: NodeOutcome) -> bool:
    """Return whether a node compiles in both versions, without changes of its catalog."""
    statuses = {comparison.status for _title, comparison in comparisons(outcome)}
    return outcome.failure is None and statuses <= {"same"}


def node_title(outcome: NodeOutcome) -> str:
    """Return the name of a node, with its main manifest."""
    return outcome.node + (f": {relative(outcome.manifest)}" if outcome.manifest else "")


def node_group(outcome: NodeOutcome) -> Group:
    """Return a node's catalogs compared; differences are folded."""
    parts: list[Block] = []
    badges: list[Badge] = []
    if outcome.failure is not None:
        badges.append(Badge("fails in the old version", "error"))
        parts.append(Paragraph(outcome.failure.message, "error"))
    for title, comparison in comparisons(outcome):
        if comparison.status == "same":
            badges.append(Badge(f"same {title}", "good"))
            continue
        badges.append(Badge(f"{comparison.status} {title}", TONES[comparison.status]))
        parts += [Paragraph(f"Catalogs {title}:"), *change_entries(comparison)]
    return Group(node_title(outcome), parts, badges, opened=False, words=node_title(outcome))


TONES = {"failed": SEVERITIES["error"], "differs": SEVERITIES["warning"]}
