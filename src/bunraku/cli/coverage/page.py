"""Coverage as one HTML page: the files, what was never declared, and the code of each file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bunraku.cli.pages.model import (
    Badge,
    Block,
    Cell,
    Code,
    Column,
    Group,
    LineNote,
    Listing,
    Page,
    Paragraph,
    Place,
    Section,
    Table,
    Tile,
    Tone,
)
from bunraku.cli.pages.render import page_html
from bunraku.workbench.coverage.result import BranchResult, Coverage, FileCoverage, Totals, ranges

RAN, MISSED, PARTIAL = "✓", "✗", "◐"
GOOD = 90
"""The percentage from which coverage is shown as good."""
FILES = (
    Column("File"),
    Column("Lines", "number"),
    Column("Missed lines", "number"),
    Column("Branches", "number"),
    Column("Missed branches", "number"),
    Column("Cover (%)", "number"),
)
UNUSED = (Column("Kind", filtered=True, narrow=True), Column("Name"), Column("Place"))
REACHED = (Column("Lines"), Column("Nodes or tests"))


def page(coverage: Coverage) -> str:
    """Return the page; it needs no other file."""
    files = [one for one in coverage.files if one.lines]
    return page_html(
        Page(
            "Coverage",
            f"Lines and branches of manifests and EPP templates in {runs_in_words(coverage.runs)}.",
            coverage_tiles(coverage),
            list(sections(files)),
        )
    )


def runs_in_words(runs: Sequence[str]) -> str:
    """Return the number of runs in words.

    >>> runs_in_words(["web1"]), runs_in_words([])
    ('1 run', '0 runs')
    """
    return f"{len(runs)} run{'' if len(runs) == 1 else 's'}"


def tone_of(totals: Totals) -> Tone:
    """Return the tone of a percentage."""
    if totals.percent >= GOOD:
        return "good"
    return "warning" if totals.percent >= GOOD / 2 else "error"


def coverage_tiles(coverage: Coverage) -> list[Tile]:
    """Return the numbers of the summary."""
    totals = coverage.totals
    found = [
        Tile("covered", f"{totals.shown_percent} %", tone_of(totals)),
        Tile("missed lines", f"{totals.missed_lines} of {totals.lines}"),
        Tile("missed branches", f"{totals.missed_branches} of {totals.branches}"),
    ]
    items = coverage.items()
    for kind, label in (("class", "classes declared"), ("resource", "resources declared")):
        if kind in items:
            found.append(Tile(label, "{} of {}".format(*items[kind])))
    return found


def sections(files: Sequence[FileCoverage]) -> Iterator[Section]:
    """Yield the sections."""
    rows = [file_row(one) for one in files]
    yield Section("Files", [Table("All files with executable code", FILES, rows)])
    unused = [
        (item.kind, item.name, Place(file.path, item.line))
        for file in files
        for item, ran in file.items
        if not ran
    ]
    if unused:
        table = Table("Definitions and resources that no run reached", UNUSED, unused)
        yield Section("Never declared or called", [table])
    yield Section("Code", [file_group(one) for one in files], filtered=True)


def file_row(file: FileCoverage) -> tuple[str | int, ...]:
    """Return the row of a file in the table."""
    totals = file.totals
    return (
        file.path,
        totals.lines,
        totals.missed_lines,
        totals.branches,
        totals.missed_branches,
        totals.shown_percent,
    )


def file_group(file: FileCoverage) -> Group:
    """Return the code of a file with its notes."""
    totals = file.totals
    badge = Badge(f"{totals.shown_percent} %", tone_of(totals))
    parts: list[Block] = []
    if not file.runs:
        parts.append(Paragraph("No run loaded this file."))
    parts.append(Code(file.source.text.rstrip("\n"), notes=notes(file), puppet=is_manifest(file)))
    reached = list(reached_rows(file))
    if len(reached) > 1:
        parts.append(Table("Which nodes or tests ran which lines", REACHED, reached))
    return Group(file.path, parts, [badge], opened=False)


def is_manifest(file: FileCoverage) -> bool:
    """Return whether a file is highlighted as Puppet code."""
    return not file.source.is_template


def notes(file: FileCoverage) -> dict[int, LineNote]:
    """Return the notes of lines; the further lines of a statement that did not run are like its first."""
    found: dict[int, LineNote] = {}
    for extent in file.plan.extents:
        if extent.probe not in file.ran and not file.ignored.intersection([extent.first]):
            found.update(dict.fromkeys(range(extent.first, extent.last + 1), LineNote("error")))
    partial = file.partial_lines()
    for line, ran in file.lines.items():
        if not ran:
            found[line] = LineNote("error", MISSED, "")
        elif line in partial:
            found[line] = LineNote("warning", PARTIAL, never(partial[line]))
        else:
            found[line] = LineNote("good", RAN, "")
    return found


def never(branches: Sequence[BranchResult]) -> str:
    """Return the branches that were not taken."""
    return "never " + ", ".join(f"{one.decision.kind} {one.branch.label}" for one in branches)


def reached_rows(file: FileCoverage) -> Iterator[tuple[str, Cell]]:
    """Yield the lines that the same runs reached, with the names of the runs."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for line in file.lines:
        names = tuple(file.runs_of(file.plan.lines[line]))
        groups.setdefault(names, []).append(line)
    for names, lines in groups.items():
        spans = ", ".join(
            str(first) if first == last else f"{first}-{last}"
            for first, last in ranges(lines, file.lines)
        )
        yield spans, Cell([Listing(names) if names else Badge("none", "error")])
