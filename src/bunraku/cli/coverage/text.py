"""The report of coverage as text, in the columns of coverage.py."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.base.excerpt import columns as width
from bunraku.base.excerpt import visible
from bunraku.workbench.coverage.result import KINDS, Coverage, FileCoverage, Totals, ranges

HEADINGS = ("File", "Lines", "Missed", "Branches", "Missed", "Cover", "Missing")


def text_report(coverage: Coverage) -> str:
    """Return a line for each file with executable code, the sum, and how many definitions ran."""
    rows: list[Sequence[str]] = [HEADINGS]
    rows += [row(one.path, one.totals, missing(one)) for one in coverage.files if one.lines]
    rows.append(row("Total", coverage.totals, ""))
    lines = table(rows)
    for kind, (ran, whole) in coverage.items().items():
        lines.append(f"{ran} of {whole} {KINDS[kind][whole != 1]}")
    return "".join(f"{line}\n" for line in lines)


def row(name: str, totals: Totals, missing: str) -> tuple[str, ...]:
    """Return the cells of a line."""
    return (
        visible(name),
        str(totals.lines),
        str(totals.missed_lines),
        str(totals.branches),
        str(totals.missed_branches),
        f"{totals.shown_percent} %",
        missing,
    )


def missing(file: FileCoverage) -> str:
    """Return the lines that did not run, and the branches that lines which ran did not take."""
    found: list[tuple[int, str]] = [
        (first, str(first) if first == last else f"{first}-{last}")
        for first, last in ranges(file.missed_lines, file.lines)
    ]
    for line, branches in file.partial_lines().items():
        found += [
            (line, f"{line} {one.decision.kind} {visible(label(one.branch.label))}")
            for one in branches
        ]
    return ", ".join(text for _, text in sorted(found))


def label(text: str) -> str:
    """Return the label of a branch within a list."""
    return f"({text})" if "," in text else text


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as aligned lines: numbers to the right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    last = len(widths) - 1
    lines = []
    for cells in rows:
        parts = []
        for at, cell in enumerate(cells):
            blanks = " " * (widths[at] - width(cell))
            parts.append(cell if at == last else cell + blanks if at == 0 else blanks + cell)
        lines.append("  ".join(parts).rstrip())
    return lines
