"""The report of ``bunraku ci`` in each format."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from bunraku.base.errors import in_order
from bunraku.cli.ci.page import as_html
from bunraku.cli.ci.text import as_markdown, as_text
from bunraku.cli.diff.text import as_json as differences_as_json
from bunraku.cli.output.output import Paint
from bunraku.cli.report.codeclimate import codeclimate_report
from bunraku.cli.report.findings import as_data, github_report
from bunraku.cli.report.junit import Case, Suite, file_suite, junit_text, text_of
from bunraku.cli.report.sarif import sarif_report
from bunraku.formats.json import clean_json_text
from bunraku.jobs.ci_result import CiResult

Write = Callable[[CiResult, Paint, bool], str]
"""A result, colours, and whether the run fails → the text of a report."""


def as_json(result: CiResult, failed: bool) -> str:
    """Return the result for programs."""
    comparison = result.comparison
    data: dict[str, Any] = {
        "schema": 1,
        "old": result.old,
        "new": result.new,
        "passed": not failed,
        "files": result.files,
        "diagnostics": [as_data(one) for one in in_order(result.findings)],
        "older_warnings": result.older,
        "failures": [
            {"node": one.node, "failed_before": one.before, "diagnostic": as_data(one.finding)}
            for one in result.failures
        ],
        "repaired": result.repaired,
        "notes": list(result.notes),
        "comparison": None,
        "against": None,
    }
    against = result.against
    if against is not None:
        data["against"] = {
            "puppet": against.version,
            "failed": against.failed,
            "left_out": against.left_out,
            "comparison": json.loads(differences_as_json(against.comparison, Paint(enabled=False))),
        }
    if comparison is not None:
        data["comparison"] = json.loads(differences_as_json(comparison, Paint(enabled=False)))
    return clean_json_text(data)


def as_junit(result: CiResult) -> str:
    """Return a test for each file with findings and for each node."""
    suites = [file_suite("files", in_order(result.findings))]
    if result.comparison is not None:
        failures = {one.node: text_of(one.finding) for one in result.broken}
        cases = [
            Case(one.node, [failures[one.node]] if one.node in failures else [])
            for one in result.comparison.nodes
        ]
        suites.append(Suite("nodes", cases))
    if result.against is not None:
        reasons = {**result.against.failed}
        for one in result.against.different:
            reasons[one.node] = f"Puppet {result.against.version} makes another catalog"
        names = sorted({one.node for one in result.against.nodes} | reasons.keys())
        suites.append(
            Suite("puppet", [Case(one, [reasons[one]] if one in reasons else []) for one in names])
        )
    return junit_text(suites)


FORMATS: dict[str, Write] = {
    "text": lambda result, paint, failed: as_text(result, paint, failed=failed),
    "markdown": lambda result, _paint, failed: as_markdown(result, failed=failed),
    "html": lambda result, _paint, failed: as_html(result, failed=failed),
    "json": lambda result, _paint, failed: as_json(result, failed),
    "junit": lambda result, _paint, _failed: as_junit(result),
    "sarif": lambda result, _paint, _failed: sarif_report(in_order(result.diagnostics())),
    "codeclimate": lambda result, _paint, _failed: codeclimate_report(
        in_order(result.diagnostics())
    ),
    "github": lambda result, _paint, _failed: github_report(in_order(result.diagnostics())),
}
