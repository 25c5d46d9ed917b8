"""Check everything that validate checks, and analyse manifests without compiling them."""

from __future__ import annotations

import argparse
import gc
from collections.abc import Iterable

from bunraku.base.errors import Diagnostic
from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError
from bunraku.checks.checker import Checker
from bunraku.cli import exits
from bunraku.cli.commands import validate
from bunraku.cli.options.analysis import analysed
from bunraku.cli.options.checked_files import directory_of
from bunraku.cli.options.language import dialect_for
from bunraku.cli.options.project import project_of_files
from bunraku.cli.options.shared import add_modulepath_option, limits_of, read_text, settings
from bunraku.cli.report.baseline import (
    InvalidBaseline,
    baseline_text,
    read_baseline,
    without_accepted,
)
from bunraku.cli.report.findings import in_order
from bunraku.project.model import NOTHING
from bunraku.syntax.nodes import Program
from bunraku.workbench.analysis.analyse import without_suppressed
from bunraku.workbench.analysis.rules import RULES
from bunraku.world.whole_files import write_whole

FINDS_PROJECT_OF_FILES = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku check``."""
    validate.add_arguments(parser)
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="CODE",
        help="of the analysis, report only this rule; can be repeated",
    )
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="CODE",
        help="do not report this rule of the analysis; can be repeated",
    )
    parser.add_argument(
        "--baseline", metavar="FILE", help="report only findings that are not in this baseline"
    )
    parser.add_argument(
        "--write-baseline",
        metavar="FILE",
        help="write all findings to FILE as a baseline and report none",
    )
    add_modulepath_option(parser)


def run(options: argparse.Namespace) -> int:
    """Check everything that is named and print one report."""
    gc.disable()  # syntax trees hold no cycles, and there are many nodes in them
    for code in (*options.only, *options.ignore):
        if code not in RULES:
            raise UsageError(f"unknown rule '{code}'{suggestion(code, RULES)}")
    project = project_of_files(options, settings(options))
    programs: list[Program] = []
    check = Checker(dialect_for(options), settings(options), limits_of(options), programs.append)
    if options.execute is None and not options.files:
        if project.kind == NOTHING:
            raise UsageError(
                f"nothing to check: give files, directories, - or -e CODE ({project.reason})"
            )
        options.files = [directory_of(project, options, check)]
    findings: list[Diagnostic] = []
    files: list[str] = []
    for source, kind in validate.sources(options, check):
        files.append(source.path)
        findings += check(source, kind)
    findings = without_suppressed_warnings(findings, programs)
    findings += selected(analysed(options, project, programs, files), options)
    findings = in_order(findings)
    if options.write_baseline:
        write_baseline(options.write_baseline, findings)
        return exits.OK
    if options.baseline:
        findings = new_findings(options.baseline, findings)
    validate.print_report(findings, options)
    failing = ("error", "warning") if options.fail_on_warnings else ("error",)
    failed = any(finding.severity in failing for finding in findings)
    return exits.FINDINGS if failed else exits.OK


def without_suppressed_warnings(
    findings: Iterable[Diagnostic], programs: list[Program]
) -> list[Diagnostic]:
    """Return the findings of the syntax less the warnings that control comments suppress."""
    found = list(findings)
    kept = without_suppressed((one for one in found if one.severity != "error"), programs)
    return [*(one for one in found if one.severity == "error"), *kept]


def write_baseline(path: str, findings: list[Diagnostic]) -> None:
    """Write a baseline of findings."""
    try:
        write_whole(path, baseline_text(findings).encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error


def new_findings(path: str, findings: list[Diagnostic]) -> list[Diagnostic]:
    """Return the findings that a baseline does not have."""
    try:
        return without_accepted(findings, read_baseline(read_text(path)))
    except InvalidBaseline as error:
        raise UsageError(f"{path} is not a baseline: {error}") from error


def selected(findings: Iterable[Diagnostic], options: argparse.Namespace) -> list[Diagnostic]:
    """Return the findings of the rules that the options choose."""
    return [
        one
        for one in findings
        if one.code not in options.ignore and (not options.only or one.code in options.only)
    ]
