"""Coverage for programs: JSON, LCOV, and the XML of Cobertura."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from bunraku.compiler.probes import Item
from bunraku.formats.json import clean_json_text
from bunraku.formats.xml_text import xml_text
from bunraku.workbench.coverage.result import BranchResult, Coverage, FileCoverage, Totals

DEFINITIONS = frozenset({"class", "define", "function", "node", "plan"})


def json_report(coverage: Coverage) -> str:
    """Return everything as JSON: each line has the number of the runs that reached it."""
    data = {
        "schema": 1,
        "runs": list(coverage.runs),
        "totals": totals_data(coverage.totals),
        "definitions": {
            kind: {"ran": ran, "all": whole} for kind, (ran, whole) in coverage.items().items()
        },
        "files": [file_data(one) for one in coverage.files],
        "changed": list(coverage.changed),
        "unreadable": [{"path": name, "reason": reason} for name, reason in coverage.unreadable],
    }
    return clean_json_text(data)


def totals_data(totals: Totals) -> dict[str, Any]:
    """Return numbers of lines and branches as data."""
    return {
        "lines": totals.lines,
        "missed_lines": totals.missed_lines,
        "branches": totals.branches,
        "missed_branches": totals.missed_branches,
        "percent": round(totals.percent, 2),
    }


def file_data(file: FileCoverage) -> dict[str, Any]:
    """Return a file as data."""
    return {
        "path": file.path,
        "totals": totals_data(file.totals),
        "lines": [{"line": line, "runs": runs} for line, runs in line_counts(file)],
        "branches": [
            {
                "line": one.decision.line,
                "kind": one.decision.kind,
                "branch": one.branch.label,
                "runs": len(file.runs_of([one.branch.probe])),
            }
            for one in file.branches
        ],
        "definitions": [
            {"kind": item.kind, "name": item.name, "line": item.line, "ran": ran}
            for item, ran in file.items
        ],
    }


def line_counts(file: FileCoverage) -> Iterator[tuple[int, int]]:
    """Yield each executable line with the number of the runs that reached it."""
    for line in file.lines:
        yield line, len(file.runs_of(file.plan.lines[line]))


# -- LCOV ------------------------------------------------------------------------------------------


def lcov_report(coverage: Coverage) -> str:
    """Return a tracefile of LCOV; counts are numbers of runs."""
    return "".join(f"{line}\n" for file in coverage.files for line in lcov_lines(file))


def lcov_lines(file: FileCoverage) -> Iterator[str]:
    """Yield the lines about a file: functions, branches, lines, each with their sums."""
    yield "TN:"
    yield f"SF:{file.path}"
    items = [(item, ran) for item, ran in file.items if item.kind in DEFINITIONS]
    for item, _ in items:
        yield f"FN:{item.line},{item_name(item)}"
    for item, _ in items:
        yield f"FNDA:{len(file.runs_of([item.probe]))},{item_name(item)}"
    yield f"FNF:{len(items)}"
    yield f"FNH:{sum(ran for _, ran in items)}"
    yield from lcov_branches(file)
    for line, runs in line_counts(file):
        yield f"DA:{line},{runs}"
    yield f"LF:{file.totals.lines}"
    yield f"LH:{file.totals.lines - file.totals.missed_lines}"
    yield "end_of_record"


def item_name(item: Item) -> str:
    """Return a definition as one word of a tracefile."""
    return f"{item.kind}:{item.name}".replace(",", ";")


def lcov_branches(file: FileCoverage) -> Iterator[str]:
    """Yield the branches: line, number of the decision, number of the branch, runs or ``-``."""
    numbers: dict[int, int] = {}
    within: dict[int, int] = {}
    for one in file.branches:
        block = numbers.setdefault(id(one.decision), len(numbers))
        branch = within[block] = within.get(block, -1) + 1
        reached = file.lines.get(one.decision.line, one.ran)
        runs = str(len(file.runs_of([one.branch.probe]))) if reached else "-"
        yield f"BRDA:{one.decision.line},{block},{branch},{runs}"
    yield f"BRF:{file.totals.branches}"
    yield f"BRH:{file.totals.branches - file.totals.missed_branches}"


# -- Cobertura -------------------------------------------------------------------------------------


def cobertura_report(coverage: Coverage, root: str | None = None) -> str:
    """Return the XML of Cobertura that GitLab, Jenkins and Azure read: a package for each folder.

    It has no time, so it is the same for the same coverage.
    """
    totals = coverage.totals
    whole = ET.Element(
        "coverage", rates(totals) | sums(totals) | {"version": "1", "timestamp": "0"}
    )
    sources = ET.SubElement(whole, "sources")
    ET.SubElement(sources, "source").text = xml_text(root or os.getcwd(), "?")
    packages = ET.SubElement(whole, "packages")
    folders: dict[str, list[FileCoverage]] = {}
    for file in coverage.files:
        folders.setdefault(os.path.dirname(file.path) or ".", []).append(file)
    for folder, files in folders.items():
        add_package(packages, folder, files)
    ET.indent(whole)
    doctype = '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">'
    text = ET.tostring(whole, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{doctype}\n{text}\n'


def rates(totals: Totals) -> dict[str, str]:
    """Return the attributes with rates."""
    lines = 1 - totals.missed_lines / totals.lines if totals.lines else 1
    branches = 1 - totals.missed_branches / totals.branches if totals.branches else 1
    return {"line-rate": f"{lines:.4g}", "branch-rate": f"{branches:.4g}", "complexity": "0"}


def sums(totals: Totals) -> dict[str, str]:
    """Return the attributes with sums."""
    return {
        "lines-covered": str(totals.lines - totals.missed_lines),
        "lines-valid": str(totals.lines),
        "branches-covered": str(totals.branches - totals.missed_branches),
        "branches-valid": str(totals.branches),
    }


def add_package(packages: ET.Element, folder: str, files: list[FileCoverage]) -> None:
    """Add the files of a folder."""
    totals = sum((one.totals for one in files), Totals())
    name = xml_text(folder.replace("/", "."), "?")
    package = ET.SubElement(packages, "package", {"name": name} | rates(totals))
    classes = ET.SubElement(package, "classes")
    for file in files:
        attributes = {
            "name": xml_text(os.path.basename(file.path), "?"),
            "filename": xml_text(file.path, "?"),
        }
        one = ET.SubElement(classes, "class", attributes | rates(file.totals))
        ET.SubElement(one, "methods")
        add_lines(ET.SubElement(one, "lines"), file)


def add_lines(parent: ET.Element, file: FileCoverage) -> None:
    """Add the lines of a file; those with branches have the part that was taken."""
    by_line: dict[int, list[BranchResult]] = {}
    for one in file.branches:
        by_line.setdefault(one.decision.line, []).append(one)
    for line, runs in line_counts(file):
        attributes = {"number": str(line), "hits": str(runs), "branch": "false"}
        branches = by_line.get(line, [])
        if branches:
            taken = sum(one.ran for one in branches)
            part = f"{100 * taken // len(branches)}% ({taken}/{len(branches)})"
            attributes |= {"branch": "true", "condition-coverage": part}
        ET.SubElement(parent, "line", attributes)
