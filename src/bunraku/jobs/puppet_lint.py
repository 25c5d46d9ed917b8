"""Findings of lint as puppet-lint prints them: lines of a format, and its JSON."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_typing import Any
from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.workbench.lint.findings import Finding, Outcome
from bunraku.workbench.lint.run import SYNTAX

FIELD = re.compile(r"%\{(\w+)\}")
"""A field of ``--log-format``."""
FORMAT = "%{KIND}: %{message} on line %{line} (check: %{check})"
WITH_PATH = "%{path} - " + FORMAT


@record(frozen=True)
class Choices:
    """What is printed: findings of one level or ``all``, suppressed ones, the lines of the findings."""

    log_format: str = FORMAT
    level: str = "all"
    show_ignored: bool = False
    with_context: bool = False

    def includes(self, kind: str) -> bool:
        """Return whether findings of a kind are printed; corrected ones always are."""
        if kind == "ignored":
            return self.show_ignored and self.level == "all"
        return kind == "fixed" or self.level in {"all", kind}


def fields_of_file(path: str) -> dict[str, str]:
    """Return the fields that all findings of a file share, as ``--log-format`` names them."""
    return {"fullpath": os.path.abspath(path), "path": path, "filename": os.path.basename(path)}


def fields_of(
    outcome: Outcome, finding: Finding | Diagnostic, of_file: Mapping[str, str]
) -> dict[str, str | int]:
    """Return the fields of a finding, as ``--log-format`` names them."""
    if isinstance(finding, Diagnostic):
        line, column = finding.line or 1, finding.column or 1
        kind, check, message = "error", SYNTAX, finding.message
    else:
        line, column = outcome.source.position(finding.problem.start)
        check, message = finding.check, finding.problem.message
        kind = "ignored" if finding.reason is not None else finding.severity
        kind = "fixed" if finding in outcome.corrected else kind
    return {
        "message": message,
        "line": line,
        "column": column,
        "kind": kind,
        "check": check,
        **of_file,
        "KIND": kind.upper(),
    }


def shown_findings(
    outcome: Outcome, choices: Choices
) -> list[tuple[dict[str, str | int], str | None]]:
    """Return the fields of the findings that are printed, each with the reason to ignore it."""
    if not outcome.errors and not outcome.findings:
        return []
    of_file = fields_of_file(outcome.source.path)
    found: list[tuple[dict[str, str | int], str | None]] = [
        (fields_of(outcome, one, of_file), None) for one in outcome.errors
    ]
    for one in outcome.findings:
        fields = fields_of(outcome, one, of_file)
        if choices.includes(str(fields["kind"])):
            found.append((fields, one.reason))
    return found


def puppet_lint_lines(outcomes: Iterable[Outcome], choices: Choices) -> str:
    """Return puppet-lint's lines for the findings of manifests."""
    lines: list[str] = []
    parts = FIELD.split(choices.log_format)
    for outcome in outcomes:
        for fields, reason in shown_findings(outcome, choices):
            lines.append(filled(parts, fields) + "\n")
            if reason:
                lines.append(f"  {reason}\n")
            if choices.with_context and fields["kind"] != "fixed":
                lines.append(context_of(outcome.source, int(fields["line"]), int(fields["column"])))
    return "".join(lines)


def filled(parts: Sequence[str], fields: Mapping[str, str | int]) -> str:
    """Return a log format with its fields; unknown ones stay. Every second part is the name of a field.

    >>> filled(FIELD.split("%{line}: %{message} %{x}"), {"line": 2, "message": "a"})
    '2: a %{x}'
    """
    found = list(parts)
    for at in range(1, len(found), 2):
        found[at] = str(fields.get(found[at], f"%{{{found[at]}}}"))
    return "".join(found)


def context_of(source: Source, line: int, column: int) -> str:
    """Return the line of a finding, with a mark below its column."""
    text = source.line_text(line)
    indent = len(text) - len(text.lstrip())
    return f"\n  {text.strip()}\n{' ' * max(column + 1 - indent, 0)}^\n\n"


def puppet_lint_json(outcomes: Sequence[Outcome], choices: Choices) -> str:
    """Return an array of one array of findings for each file, as puppet-lint prints it."""
    from bunraku.formats.json import clean_json_text

    found: list[Any] = []
    for outcome in outcomes:
        entries = [fields for fields, _ in shown_findings(outcome, choices)]
        if choices.with_context:
            for fields in entries:
                fields["context"] = outcome.source.line_text(int(fields["line"])).strip()
        found.append(entries)
    return clean_json_text(found)
