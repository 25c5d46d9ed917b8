"""Findings as SARIF 2.1.0, the form that code hosts and editors read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from bunraku.base.errors import Declaration, Diagnostic
from bunraku.base.paths import relative
from bunraku.base.version import DOCUMENTATION, version
from bunraku.formats.json import clean_json_text
from bunraku.jobs.finding_data import end_of

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "deprecation": "note"}


def sarif_report(findings: Iterable[Diagnostic]) -> str:
    """Return the log of one run; codes of issues are the rules' ids, paths are relative.

    Code hosts refuse results without a file: such findings are notifications of the run.
    """
    findings = list(findings)
    found = [one for one in findings if one.file]
    others = [one for one in findings if not one.file]
    codes = sorted({finding.code for finding in found})
    driver = {
        "name": "bunraku",
        "version": version(),
        "informationUri": DOCUMENTATION,
        "rules": [
            {"id": code, "name": rule_name(code), "helpUri": help_uri(code)} for code in codes
        ],
    }
    results = [result(finding, codes.index(finding.code)) for finding in found]
    failed = any(one.severity == "error" for one in others)
    invocation = {
        "executionSuccessful": not failed,
        "toolExecutionNotifications": list(map(notification, others)),
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return clean_json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def rule_name(code: str) -> str:
    """Return the code in the style that SARIF asks of names.

    >>> rule_name("UNKNOWN_VARIABLE")
    'UnknownVariable'
    """
    return "".join(word.capitalize() for word in code.split("_"))


def help_uri(code: str) -> str:
    """Return the address of the section that explains a code, or the rules of migrations.

    >>> help_uri("UNKNOWN_VARIABLE").removeprefix(DOCUMENTATION)
    'issues.html#unknown-variable'
    >>> help_uri("legacy-facts").removeprefix(DOCUMENTATION)
    'coming-from-puppet-3.html#all-differences'
    """
    if not code.isupper():
        return f"{DOCUMENTATION}coming-from-puppet-3.html#all-differences"
    return f"{DOCUMENTATION}issues.html#{code.lower().replace('_', '-')}"


def notification(finding: Diagnostic) -> dict[str, Any]:
    """Return the SARIF notification of a finding without a file."""
    return {
        "descriptor": {"id": finding.code},
        "level": LEVELS[finding.severity],
        "message": {"text": hinted_message(finding)},
    }


def hinted_message(finding: Diagnostic) -> str:
    """Return the message of a finding, with its hint."""
    return finding.message + (f"\nHint: {finding.hint}" if finding.hint else "")


def result(finding: Diagnostic, rule: int) -> dict[str, Any]:
    """Return the SARIF result of a finding, with its position if known."""
    found: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": LEVELS[finding.severity],
        "message": {"text": hinted_message(finding)},
    }
    file, line, column = finding.place.where
    if file:
        place: dict[str, Any] = {"artifactLocation": {"uri": uri(file)}}
        end_line, end_column = end_of(finding.span)
        region = {
            "startLine": line,
            "startColumn": column,
            "endLine": end_line,
            "endColumn": end_column,
        }
        if line:
            place["region"] = {name: value for name, value in region.items() if value}
        found["locations"] = [{"physicalLocation": place}]
    related = [declared for declared in map(related_location, finding.declarations) if declared]
    if related:
        found["relatedLocations"] = related
    return found


def related_location(around: Declaration) -> dict[str, Any] | None:
    """Return where a defined type around the place is declared, where that is known."""
    if around.file is None:
        return None
    place: dict[str, Any] = {"artifactLocation": {"uri": uri(around.file)}}
    if around.line:
        place["region"] = {"startLine": around.line}
    return {"physicalLocation": place, "message": {"text": f"{around.reference} is declared here"}}


def uri(path: str) -> str:
    """Return the SARIF location of a file: relative if it is below the working directory.

    >>> uri("/elsewhere/my site.pp")
    'file:///elsewhere/my%20site.pp'
    """
    shown = relative(path)
    scheme = "file://" if shown.startswith("/") else ""
    return scheme + quote(shown.encode("utf-8", "surrogateescape"))
