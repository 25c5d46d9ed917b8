"""The findings of whole projects: ``bunraku check`` in a process of its own, whose result is shown for closed files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial

from bunraku.base.lazy_typing import TYPE_CHECKING, Any
from bunraku.lsp.background import Step
from bunraku.lsp.features.diagnostics import DEPRECATED, SEVERITIES, send
from bunraku.lsp.positions import Encoding, Lines
from bunraku.lsp.programs import BUNRAKU, ProgramOutcome
from bunraku.lsp.reports import ReportReading
from bunraku.lsp.session import ClientSession

if TYPE_CHECKING:
    from bunraku.lsp import protocol

DELAY = 2.0
"""Seconds after the last change of a file until the projects are checked."""


def check_projects_later(session: ClientSession) -> None:
    """Check the projects of all folders, unless the settings say otherwise."""
    if session.options["checkProject"]:
        session.background.add("projects", steps(session), DELAY, is_interruptible=False)


def steps(session: ClientSession) -> Iterator[Step]:
    """Yield a step for each folder: it starts the check."""
    for folder in session.host.folders:
        yield partial(start_check, session, folder)


def start_check(session: ClientSession, folder: str) -> None:
    """Start the check of a project; one of the folder that still runs is ended."""
    session.programs.end(check_of(folder))
    if not os.path.isdir(folder):
        forget_findings_below(session, folder)
        return
    checked = checked_directories(session, folder)
    if checked is None:
        return
    command = [*BUNRAKU, "check", "--format", "json", *checked]
    session.programs.start(check_of(folder), command, folder, partial(take_report, session, folder))


def checked_directories(session: ClientSession, folder: str) -> list[str] | None:
    """Return the directories of a folder that are checked: none for the project; None if there is nothing to check.

    A folder outside of projects can hold directories of modules, which are checked. No other folder is searched for
    code: it may be a home directory.
    """
    if session.host.project_of(f"{folder}/.").is_project:
        return []
    from bunraku.project.control import directories_of_modules
    from bunraku.world.machine import Machine

    return directories_of_modules(folder, Machine()) or None


def check_of(folder: str) -> str:
    """Return the name of the program that checks a folder, and of the work that shows its findings."""
    return f"check {folder}"


def forget_project(session: ClientSession, folder: str) -> None:
    """Take back the findings of a folder that is not shown any more."""
    session.programs.end(check_of(folder))
    forget_findings_below(session, folder)


def forget_findings_below(session: ClientSession, folder: str) -> None:
    """Take back the findings of a folder when nothing else is to be done."""
    gone = [one for one in session.project_findings if one.startswith(f"{folder}/")]
    steps: list[Step] = [partial(show_findings, session, path, []) for path in gone]
    session.background.add(check_of(folder), iter(steps), is_interruptible=False)


def take_report(session: ClientSession, folder: str, outcome: ProgramOutcome) -> None:
    """Show the findings of a check when nothing else is to be done: a large project has thousands."""
    steps = report_steps(session, folder, outcome.output)
    session.background.add(check_of(folder), steps, is_interruptible=False)


def report_steps(session: ClientSession, folder: str, report: str) -> Iterator[Step]:
    """Yield the steps that read the report of a check and show its findings, file by file."""
    by_file: dict[str, list[dict[str, Any]]] = {}

    def take(finding: dict[str, Any]) -> None:
        if finding["file"]:
            path = os.path.normpath(os.path.join(folder, finding["file"]))
            by_file.setdefault(path, []).append(finding)

    reading = ReportReading(report, take, "diagnostics")
    yield from reading.steps()
    if reading.is_damaged:
        session.log(f"bunraku check in {folder} gave no report", "warning")
        return
    for path in session.project_findings:
        if path.startswith(f"{folder}/"):
            by_file.setdefault(path, [])
    for path, findings in by_file.items():
        yield partial(show_findings, session, path, findings)


def show_findings(session: ClientSession, path: str, findings: list[dict[str, Any]]) -> None:
    """Show the findings in a file; those of open documents are found again with each change."""
    source = session.host.source(path) if findings else None
    lines = Lines("" if source is None else source.text)
    found = [diagnostic_of(one, lines, session.encoding) for one in findings]
    if session.project_findings.get(path, []) != found and path not in session.versions:
        send(session, path, found)
    if found:
        session.project_findings[path] = found
    else:
        session.project_findings.pop(path, None)


def diagnostic_of(finding: dict[str, Any], lines: Lines, encoding: Encoding) -> protocol.Diagnostic:
    """Return a finding of a report as the client takes it."""
    start = offset_of(lines, finding["line"], finding["column"])
    end = offset_of(lines, finding["end_line"], finding["end_column"])
    if finding["line"] and (end is None or finding["end_column"] is None):
        end = lines.line_end(min(finding["line"], len(lines.starts)) - 1)
    start = 0 if start is None else start
    hint = f"\nhint: {finding['hint']}" if finding["hint"] else ""
    made: protocol.Diagnostic = {
        "range": lines.range(start, max(start, end or 0), encoding),
        "severity": SEVERITIES.get(finding["severity"], 3),
        "code": finding["code"],
        "source": "bunraku",
        "message": f"{finding['message']}{hint}",
    }
    if finding["severity"] == "deprecation":
        made["tags"] = [DEPRECATED]
    return made


def offset_of(lines: Lines, line: int | None, column: int | None) -> int | None:
    """Return the character offset of a line and a column, both from 1; None if the text has no such line."""
    if line is None or line > len(lines.starts):
        return None
    return min(lines.starts[line - 1] + (column or 1) - 1, lines.line_end(line - 1))
