"""Check manifests, templates, Hiera data and configuration, module metadata and settings files."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module

from bunraku.base.errors import Diagnostic
from bunraku.base.file_reading import is_stream
from bunraku.base.source import Source
from bunraku.base.usage import UsageError
from bunraku.checks.checker import EPP, MANIFEST, Checker
from bunraku.cli import exits
from bunraku.cli.options.checked_files import project_directory, sources_below
from bunraku.cli.options.language import dialect_for
from bunraku.cli.options.shared import (
    add_language_options,
    add_limit_options,
    add_output_options,
    limits_of,
    paint_for,
    read_text,
    settings,
)
from bunraku.cli.output.output import write, write_error

MACHINE_REPORTS = {
    "json": "bunraku.cli.report.findings",
    "sarif": "bunraku.cli.report.sarif",
    "github": "bunraku.cli.report.findings",
    "junit": "bunraku.cli.report.junit",
    "codeclimate": "bunraku.cli.report.codeclimate",
}
"""Format → the module that writes it; others are not imported."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku validate``."""
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="files and directories; - reads standard input. Without FILE and -e, the project in "
        "which the command runs",
    )
    parser.add_argument("-e", "--execute", metavar="CODE", help="check this code")
    parser.add_argument("--epp", action="store_true", help="the text of -e or - is an EPP template")
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="GLOB",
        help="skip matching files and directories below the given directories; can be repeated",
    )
    parser.add_argument(
        "--format",
        choices=("text", *MACHINE_REPORTS),
        default="text",
        help="format of the report (default: text)",
    )
    parser.add_argument(
        "--fail-on-warnings", action="store_true", help="also exit with 1 for warnings"
    )
    add_language_options(parser)
    add_limit_options(parser, "file")
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Check everything that is named and print one report."""
    gc.disable()  # syntax trees hold no cycles, and there are many nodes in them
    check = Checker(dialect_for(options), settings(options), limits_of(options))
    findings: list[Diagnostic] = []
    for source, kind in sources(options, check):
        found = check(source, kind)
        if found:
            findings += import_module("bunraku.cli.report.findings").in_order(found)
    print_report(findings, options)
    failing = ("error", "warning") if options.fail_on_warnings else ("error",)
    failed = any(finding.severity in failing for finding in findings)
    return exits.FINDINGS if failed else exits.OK


def sources(options: argparse.Namespace, check: Checker) -> Iterator[tuple[Source, str]]:
    """Yield each text to check, and its kind."""
    given = EPP if options.epp else MANIFEST
    if options.execute is not None:
        yield Source(options.execute), given
    names = options.files
    if options.execute is None and not names:
        names = [project_directory(options, check)]
    name: str
    for name in names:
        if name == "-":
            yield Source(read_text(name), name), given
        elif os.path.isdir(name):
            yield from sources_below(name, options)
        else:
            if is_stream(name):
                kind = given
            else:
                kind = MANIFEST if name.endswith(".pp") else kind_of_file(name)
            if not os.path.exists(name):
                raise UsageError(f"cannot find {name}{near_path(name)}")
            yield Source(read_text(name), name, on_disk=True), kind


def kind_of_file(path: str) -> str:
    """Return the kind of a file; UsageError for a file that cannot be checked."""
    kinds = import_module("bunraku.checks.kinds")
    files = import_module("bunraku.checks.files")
    kind: str | None = kinds.kind_of(path, tuple(files.data_directories_around(path)))
    if kind is not None:
        return kind
    if not os.path.exists(path):
        raise UsageError(f"cannot find {path}{near_path(path)}")
    raise UsageError(f"cannot check {path}: unknown kind of file; known are {kinds.KNOWN}")


def near_path(path: str) -> str:
    """Return a suggestion for a mistyped path; the import of its code is deferred to mistakes."""
    found: str = import_module("bunraku.cli.options.project").near_path(path)
    return found


def print_report(findings: list[Diagnostic], options: argparse.Namespace) -> None:
    """Print the findings to standard output: they are the result of the command."""
    if options.format != "text":
        reports = import_module(MACHINE_REPORTS[options.format])
        write(getattr(reports, f"{options.format}_report")(findings))
    elif findings:
        report = import_module("bunraku.cli.report.findings").text_report
        write(report(findings, paint_for(options, sys.stdout)))
        if len(findings) > 1:
            write_error(summary(findings))


def summary(findings: list[Diagnostic]) -> str:
    """Return the number of findings of each severity.

    >>> summary([Diagnostic("X", ""), Diagnostic("X", ""), Diagnostic("Y", "", severity="warning")])
    '2 errors, 1 warning\\n'
    """
    counts = Counter(finding.severity for finding in findings)
    return ", ".join(f"{n} {name}{'s' if n > 1 else ''}" for name, n in counts.items()) + "\n"
