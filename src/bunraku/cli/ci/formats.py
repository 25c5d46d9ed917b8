"""The report of ``bunraku ci`` in each format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bunraku.base.errors import in_order
from bunraku.cli.ci.page import as_html
from bunraku.cli.ci.text import as_markdown, as_text
from bunraku.cli.output.output import Paint
from bunraku.cli.report.findings import github_report
from bunraku.cli.report.junit import Case, Suite, file_suite, junit_text, text_of
from bunraku.formats.json import clean_json_text
from bunraku.jobs.ci_data import ci_data
from bunraku.jobs.ci_result import CiResult
from bunraku.jobs.ci_summary import changed_nodes, disagreements, faults, unknown, with_errors
from bunraku.jobs.codeclimate import codeclimate_report
from bunraku.jobs.comparison import NodeComparison
from bunraku.jobs.sarif import sarif_report

Write = Callable[[CiResult, Paint], str]
"""A result and colours → the text of a report."""


def as_junit(result: CiResult) -> str:
    """Return a test for each file with findings and for each node."""
    found = in_order(result.findings)
    suites = [file_suite("files", with_errors(found) if result.fail_on_warnings else found)]
    if result.comparison is not None:
        failures = dict.fromkeys(changed_nodes(result), "The catalog changes")
        failures |= {one.node: text_of(one.finding) for one in result.broken}
        skipped = {one.node: text_of(one.finding) for one in result.failures}
        suites.append(Suite("nodes", node_cases(result.nodes, failures, skipped)))
    if texts := unknown(result):
        suites.append(Suite("not checked", [Case(text, [text]) for text in texts]))
    if result.against is not None:
        suites.append(
            Suite("puppet", node_cases(result.against.nodes, disagreements(result.against), {}))
        )
    return junit_text(suites)


def node_cases(
    nodes: Iterable[NodeComparison], failures: Mapping[str, str], skipped: Mapping[str, str]
) -> list[Case]:
    """Return a test for each node: those in ``failures`` fail, others in ``skipped`` are skipped."""
    return [
        Case(one, [failures[one]]) if one in failures else Case(one, skipped=skipped.get(one, ""))
        for one in sorted({*(one.node for one in nodes), *failures})
    ]


FORMATS: dict[str, Write] = {
    "text": as_text,
    "markdown": lambda result, _paint: as_markdown(result),
    "html": lambda result, _paint: as_html(result),
    "json": lambda result, _paint: clean_json_text(ci_data(result)),
    "junit": lambda result, _paint: as_junit(result),
    "sarif": lambda result, _paint: sarif_report(faults(result)),
    "codeclimate": lambda result, _paint: codeclimate_report(faults(result)),
    "github": lambda result, _paint: github_report(faults(result)),
}
