"""Differences of catalogs as one HTML page that needs no other file."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.paths import relative
from bunraku.cli.output.output import Paint
from bunraku.cli.pages import model
from bunraku.cli.pages.model import (
    Badge,
    Column,
    Diff,
    DiffLine,
    Entry,
    Paragraph,
    Section,
    Table,
    Tile,
    Tone,
)
from bunraku.cli.pages.render import page_html
from bunraku.jobs.change_groups import Group, Item, groups_of, items_of, totals
from bunraku.jobs.comparison import Comparison, NodeComparison

BADGES = {
    "failed": Badge("failed", "error"),
    "missing": Badge("missing", "warning"),
    "added": Badge("added", "good"),
    "removed": Badge("removed", "error"),
    "changed": Badge("changed", "info"),
    "edge": Badge("edge"),
    "class": Badge("class"),
}
TONES: dict[str, Tone] = {"failed": "error", "differs": "warning", "same": "good"}
NODES = (
    Column("Node"),
    Column("Result", filtered=True, narrow=True),
    Column("Added", "number"),
    Column("Removed", "number"),
    Column("Changed", "number"),
)


def as_html(report: Comparison, _paint: Paint) -> str:
    """Return a page with the changes of each group of nodes, and the result of each node."""
    groups = [page_group(group) for group in groups_of(report.nodes)]
    sections = [
        Section("Changes", groups, filtered=True),
        Section("Nodes", [Table("The result of each node", NODES, list(map(row, report.nodes)))]),
    ]
    return page_html(
        model.Page(
            "Catalog changes",
            f"{report.old} → {report.new}",
            tiles(report),
            [section for section in sections if section.parts],
        )
    )


def tiles(report: Comparison) -> list[Tile]:
    """Return the numbers of nodes and of changes."""
    found = totals(report.nodes)
    return [
        Tile("nodes fail", str(found.failed), "error" if found.failed else ""),
        Tile("nodes differ", str(found.differ), "warning" if found.differ else ""),
        Tile("nodes are the same", str(found.same), "good" if found.same else ""),
        Tile("resources added", str(found.added)),
        Tile("resources removed", str(found.removed)),
        Tile("resources changed", str(found.changed)),
    ]


def page_group(group: Group) -> model.Group:
    """Return the part of the page about nodes with the same changes."""
    entries: list[model.Block] = [entry(item) for item in group.items]
    if len(group.nodes) > 1:
        entries.insert(0, model.Listing(group.nodes, "Nodes"))
    return model.Group(group.headline, entries, words=", ".join(group.nodes))


def change_entries(one: NodeComparison) -> Iterator[Entry]:
    """Yield the changes of a node."""
    return map(entry, items_of(one))


def entry(item: Item) -> Entry:
    """Return a change of a group; a resource and its place are the heading."""
    lines = [DiffLine(mark, text) for mark, text in item.lines]
    if item.kind in {"failed", "missing"}:
        text = "\n".join(line.text for line in lines)
        if item.place:
            text = text.replace(item.place, relative(item.place), 1)
        return Entry(BADGES[item.kind], "", [Paragraph(text)])
    if not item.resource:
        return Entry(BADGES[item.kind], "", [Diff(lines)])
    _reference, _, place = lines[0].text.partition("   # ")
    rest = [DiffLine(line.mark, line.text.removeprefix("    "), 0, 0) for line in lines[1:]]
    file, _, number = place.rpartition(":")
    found = model.Place(file, int(number)) if number.isdecimal() else None
    parts: list[model.Block] = [Diff(rest)] if rest else []
    parts += [Paragraph(text) for text in item.because]
    return Entry(BADGES[item.kind], item.resource, parts, found)


def row(one: NodeComparison) -> tuple[model.CellValue, ...]:
    """Return the row of a node."""
    found = one.difference
    counts = (len(found.added), len(found.removed), len(found.changed))
    return one.node, Badge(one.status, TONES[one.status]), *counts
