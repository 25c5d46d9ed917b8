"""Check the style of manifests, as puppet-lint does, and correct it."""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module

from bunraku.base.errors import Diagnostic
from bunraku.base.source import Source
from bunraku.checks.kinds import MANIFEST
from bunraku.cli import exits
from bunraku.cli.options.lint import (
    PUPPET_LINT,
    add_lint_options,
    settings_of,
    with_configuration,
)
from bunraku.cli.options.shared import UsageError, paint_for, read_text
from bunraku.cli.output.output import write, write_error
from bunraku.workbench.lint.registry import checks
from bunraku.workbench.lint.run import (
    SYNTAX,
    Finding,
    Outcome,
    Settings,
    UnknownCheck,
    is_ignored,
    lint_source,
)
from bunraku.world.whole_files import edit_whole

FIELD = re.compile(r"%\{(\w+)\}")
"""A field of ``--log-format``."""
REPORTS = {
    "json": "bunraku.cli.report.findings",
    "sarif": "bunraku.cli.report.sarif",
    "github": "bunraku.cli.report.findings",
    "junit": "bunraku.cli.report.junit",
    "codeclimate": "bunraku.cli.report.codeclimate",
}
"""Format → the module that writes it; others are not imported."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku lint``."""
    add_lint_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the findings; with ``--fix``, write the corrected files."""
    gc.disable()  # syntax trees hold no cycles, and there are many nodes in them
    options = with_configuration(options)
    if options.list_checks:
        write("".join(f"{name}\n" for name in checks()))
        return exits.OK
    settings = settings_of(options)
    try:
        chosen = settings.chosen()
    except UnknownCheck as error:
        raise UsageError(str(error)) from error
    outcomes = []
    for source in sources(options, settings):
        outcome = lint_source(source, chosen, settings, fix=options.fix)
        warn_of_comments(outcome)
        outcomes.append(outcome)
    if options.fix:
        write_fixed(outcomes)
    print_report(outcomes, options)
    if options.codeclimate_report_file:
        write_code_climate(outcomes, options.codeclimate_report_file)
    return exit_code(outcomes, options)


def exit_code(outcomes: Iterable[Outcome], options: argparse.Namespace) -> int:
    """Return 1 for errors that remain, and for warnings with ``--fail-on-warnings``."""
    failing = {"error", "warning"} if options.fail_on_warnings else {"error"}
    for outcome in outcomes:
        found = (one for one in outcome.findings if one.severity in failing)
        if outcome.errors or any(map(outcome.remains, found)):
            return exits.FINDINGS
    return exits.OK


def sources(options: argparse.Namespace, settings: Settings) -> Iterable[Source]:
    """Yield the manifests to check."""
    for name in options.files or ["."]:
        if name == "-":
            yield Source(read_text(name), name)
        elif os.path.isdir(name):
            options.with_filename = True
            walk = import_module("bunraku.cli.options.checked_files").walk_of(options)
            for path, kind in walk.files(name):
                if kind == MANIFEST and not is_ignored(path, settings):
                    yield Source(read_text(path), path, on_disk=True)
        elif not os.path.exists(name):
            near = import_module("bunraku.cli.options.project").near_path(name)
            raise UsageError(f"cannot find {name}{near}")
        elif not is_ignored(name, settings):
            options.with_filename = options.with_filename or len(options.files) > 1
            yield Source(read_text(name), name, on_disk=True)


# -- reports -----------------------------------------------------------------------------------


def warn_of_comments(outcome: Outcome) -> None:
    """Print a warning for each control comment that opens or closes nothing."""
    for line, text in outcome.comments.unmatched:
        write_error(f"warning: {outcome.source.path}:{line}: {text}\n")


def write_fixed(outcomes: Iterable[Outcome]) -> None:
    """Write the corrected files: all of them, or none if one cannot be written."""
    new = {
        one.source.path: one.fixed.encode("utf-8", "surrogateescape")
        for one in outcomes
        if one.fixed is not None and one.source.on_disk
    }
    try:
        edit_whole(new)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from error


def print_report(outcomes: Sequence[Outcome], options: argparse.Namespace) -> None:
    """Print the findings in the format that is wanted."""
    if options.json:
        write(puppet_lint_json(outcomes, options))
        return
    form = "sarif" if options.sarif else options.format
    if form == PUPPET_LINT:
        write("".join(line for one in outcomes for line in lines_of(one, options)))
        return
    found = [one for outcome in outcomes for one in outcome.diagnostics()]
    found = [one for one in found if is_shown(one.severity, options)]
    if form in REPORTS:
        write(getattr(import_module(REPORTS[form]), f"{form}_report")(found))
    else:
        report = import_module("bunraku.cli.report.findings").text_report
        write(report(found, paint_for(options, sys.stdout)))


def is_shown(severity: str, options: argparse.Namespace) -> bool:
    """Return whether findings of a severity are printed."""
    return options.error_level in {"all", severity}


def fields_of(
    outcome: Outcome, finding: Finding | Diagnostic, full_path: str
) -> dict[str, str | int]:
    """Return the fields of a finding, as ``--log-format`` names them."""
    path = outcome.source.path
    if isinstance(finding, Diagnostic):
        line, column = finding.line or 1, finding.column or 1
        kind, check, message = "error", SYNTAX, finding.message
    else:
        line, column = outcome.source.position(finding.problem.start)
        check, message = finding.check, finding.problem.message
        kind = "ignored" if finding.reason is not None else finding.severity
        kind = "fixed" if finding in outcome.corrected else kind
    return {
        "kind": kind,
        "check": check,
        "message": message,
        "line": line,
        "column": column,
        "fullpath": full_path,
        "path": path,
        "filename": os.path.basename(path),
        "KIND": kind.upper(),
    }


def shown_findings(
    outcome: Outcome, options: argparse.Namespace
) -> list[tuple[dict[str, str | int], str | None]]:
    """Return the fields of the findings that are printed, each with the reason to ignore it."""
    full_path = os.path.abspath(outcome.source.path)
    found: list[tuple[dict[str, str | int], str | None]] = [
        (fields_of(outcome, one, full_path), None) for one in outcome.errors
    ]
    for one in outcome.findings:
        fields = fields_of(outcome, one, full_path)
        if fields["kind"] == "ignored":
            wanted = options.show_ignored and options.error_level == "all"
        else:
            wanted = fields["kind"] == "fixed" or is_shown(str(fields["kind"]), options)
        if wanted:
            found.append((fields, one.reason))
    return found


def lines_of(outcome: Outcome, options: argparse.Namespace) -> Iterable[str]:
    """Yield puppet-lint's lines for the findings of a manifest."""
    form = options.log_format
    if not form:
        form = "%{KIND}: %{message} on line %{line} (check: %{check})"
        form = "%{path} - " + form if options.with_filename else form
    for fields, reason in shown_findings(outcome, options):
        yield filled(form, fields) + "\n"
        if reason:
            yield f"  {reason}\n"
        if options.with_context and fields["kind"] != "fixed":
            yield context_of(outcome.source, int(fields["line"]), int(fields["column"]))


def filled(form: str, fields: Mapping[str, str | int]) -> str:
    """Return a log format with its fields; unknown ones stay.

    >>> filled("%{line}: %{message} %{x}", {"line": 2, "message": "a"})
    '2: a %{x}'
    """
    return FIELD.sub(lambda match: str(fields.get(match[1], match[0])), form)


def context_of(source: Source, line: int, column: int) -> str:
    """Return the line of a finding, with a mark below its column."""
    text = source.line_text(line)
    indent = len(text) - len(text.lstrip())
    return f"\n  {text.strip()}\n{' ' * max(column + 1 - indent, 0)}^\n\n"


def puppet_lint_json(outcomes: Sequence[Outcome], options: argparse.Namespace) -> str:
    """Return an array of one array of findings for each file, as puppet-lint prints it."""
    found = []
    for outcome in outcomes:
        entries = [fields for fields, _ in shown_findings(outcome, options)]
        if options.with_context:
            for fields in entries:
                fields["context"] = outcome.source.line_text(int(fields["line"])).strip()
        found.append(entries)
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def write_code_climate(outcomes: Iterable[Outcome], path: str) -> None:
    """Write the findings that remain for Code Climate and GitLab."""
    found = [one for outcome in outcomes for one in outcome.diagnostics()]
    text = import_module("bunraku.cli.report.codeclimate").codeclimate_report(found)
    try:
        import_module("bunraku.world.whole_files").write_whole(path, text.encode())
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
