"""JUnit XML, the form in which CI systems show tests.

The shape is that of the JUnit plugin of Jenkins and of GitLab: ``testsuites``, ``testsuite``,
``testcase``, ``failure``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as ET

from bunraku.base.errors import Diagnostic
from bunraku.base.paths import relative
from bunraku.base.records import field, record
from bunraku.cli.output.output import Paint
from bunraku.cli.report.findings import one_report
from bunraku.formats.xml_text import xml_text

EVERYTHING = "all files"
"""The name of the only test of a report without findings: CI systems refuse a report without tests."""


@record(frozen=True)
class Case:
    """A test: its name, and the text of each failure, the first line of which is the summary.

    ``skipped`` is the reason why the test did not run; ``output`` has the findings that do not fail it.
    """

    name: str
    failures: Sequence[str] = field(default_factory=list)
    skipped: str = ""
    output: str = ""


@record(frozen=True)
class Suite:
    """Tests of one kind."""

    name: str
    cases: Sequence[Case]


def junit_report(findings: Iterable[Diagnostic]) -> str:
    """Return a test for each file that has findings: errors are failures, others are its output.

    >>> print(junit_report([]), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
      <testsuite name="validate" tests="1" failures="0" errors="0">
        <testcase classname="validate" name="all files" />
      </testsuite>
    </testsuites>
    """
    return junit_text([file_suite("validate", findings)])


def file_suite(name: str, findings: Iterable[Diagnostic]) -> Suite:
    """Return a suite with a test for each file that has findings."""
    by_file: dict[str, tuple[list[str], list[str]]] = {}
    for finding in findings:
        file = relative(finding.place.where[0] or "") or EVERYTHING
        failures, others = by_file.setdefault(file, ([], []))
        (failures if finding.severity == "error" else others).append(text_of(finding))
    cases = [
        Case(file, failures, output="\n".join(others))
        for file, (failures, others) in by_file.items()
    ]
    return Suite(name, cases or [Case(EVERYTHING)])


def text_of(finding: Diagnostic) -> str:
    """Return the printed report of a finding, with its summary in the first line."""
    return one_report(finding, Paint(enabled=False)).rstrip("\n")


def junit_text(suites: Iterable[Suite]) -> str:
    """Return suites as XML; characters that XML cannot hold are replaced."""
    root = ET.Element("testsuites")
    for suite in suites:
        failures = sum(bool(case.failures) for case in suite.cases)
        counts = {"tests": str(len(suite.cases)), "failures": str(failures), "errors": "0"}
        if skipped := sum(bool(case.skipped) for case in suite.cases):
            counts["skipped"] = str(skipped)
        element = ET.SubElement(root, "testsuite", {"name": suite.name, **counts})
        for case in suite.cases:
            names = {"classname": suite.name, "name": xml_text(case.name)}
            test = ET.SubElement(element, "testcase", names)
            for text in case.failures:
                summary, _, _ = text.partition("\n")
                ET.SubElement(test, "failure", {"message": xml_text(summary)}).text = xml_text(text)
            if case.skipped:
                summary, _, _ = case.skipped.partition("\n")
                ET.SubElement(test, "skipped", {"message": xml_text(summary)})
            if case.output:
                ET.SubElement(test, "system-out").text = xml_text(case.output)
    ET.indent(root)
    body = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'
