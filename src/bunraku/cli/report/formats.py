"""The report of findings in the format that a command is asked for; other writers are not imported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bunraku.base.errors import Diagnostic
from bunraku.cli import exits
from bunraku.cli.output.output import Paint, write, write_error

FORMATS = ("json", "sarif", "github", "junit", "codeclimate")
"""Formats for programs."""


def report_text(
    findings: Sequence[Diagnostic], form: str, paint: Paint, *, fail_on_warnings: bool
) -> str:
    """Return the report of findings: ``text``, or one of ``FORMATS``.

    Systems that read reports show an error as what fails the run.
    """
    from bunraku.base.moved_paths import as_reported

    findings = as_reported(findings, form, fail_on_warnings=fail_on_warnings)
    match form:
        case "json":
            from bunraku.cli.report.findings import json_report

            return json_report(findings)
        case "github":
            from bunraku.cli.report.findings import github_report

            return github_report(findings)
        case "sarif":
            from bunraku.jobs.sarif import sarif_report

            return sarif_report(findings)
        case "junit":
            from bunraku.cli.report.junit import junit_report

            return junit_report(findings)
        case "codeclimate":
            from bunraku.jobs.codeclimate import codeclimate_report

            return codeclimate_report(findings)
        case _:
            from bunraku.cli.report.findings import text_report

            return text_report(findings, paint)


def print_findings(
    findings: Sequence[Diagnostic], form: str, paint: Paint, *, fail_on_warnings: bool
) -> int:
    """Print findings to standard output, since they are the result; return the exit code."""
    if form != "text" or findings:
        write(report_text(findings, form, paint, fail_on_warnings=fail_on_warnings))
    if form == "text" and len(findings) > 1:
        write_error(summary(findings))
    return findings_code(findings, fail_on_warnings=fail_on_warnings)


def failing(*, fail_on_warnings: bool) -> tuple[str, ...]:
    """Return the severities that fail a command."""
    return ("error", "warning") if fail_on_warnings else ("error",)


def findings_code(findings: Sequence[Diagnostic], *, fail_on_warnings: bool) -> int:
    """Return the exit code of findings."""
    severities = failing(fail_on_warnings=fail_on_warnings)
    return exits.FINDINGS if any(one.severity in severities for one in findings) else exits.OK


def summary(findings: Sequence[Diagnostic]) -> str:
    """Return the number of findings of each severity.

    >>> summary([Diagnostic("X", ""), Diagnostic("X", ""), Diagnostic("Y", "", severity="warning")])
    '2 errors, 1 warning\\n'
    """
    counts = Counter(finding.severity for finding in findings)
    return ", ".join(f"{n} {name}{'s' if n > 1 else ''}" for name, n in counts.items()) + "\n"
