"""Check manifests and EPP templates: syntax, names, placement, questionable code."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module

from bunraku.cli import exits
from bunraku.cli.checking import check_source, dialect_for
from bunraku.cli.options import (
    UsageError,
    add_language_options,
    add_output_options,
    paint_for,
    read_text,
    settings,
)
from bunraku.cli.output import write, write_error
from bunraku.errors import Diagnostic
from bunraku.source import Source

SUFFIXES = (".pp", ".epp")
MACHINE_REPORTS = {
    "json": "bunraku.cli.report",
    "sarif": "bunraku.cli.sarif",
    "github": "bunraku.cli.report",
}
"""Where the reports are made; what is not asked for is not imported."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``bunraku validate``."""
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="manifests, EPP templates, folders of them; - reads standard input",
    )
    parser.add_argument("-e", "--execute", metavar="CODE", help="check this code")
    parser.add_argument("--epp", action="store_true", help="-e and - hold an EPP template")
    parser.add_argument(
        "--format", choices=("text", *MACHINE_REPORTS), default="text", help="of the report (text)"
    )
    parser.add_argument(
        "--fail-on-warnings", action="store_true", help="warnings make the exit code 1 too"
    )
    add_language_options(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Check everything named and print one report."""
    gc.disable()  # syntax trees hold no cycles, and there are many nodes in them
    findings: list[Diagnostic] = []
    dialect = dialect_for(options)
    for source, epp in sources(options):
        _program, found = check_source(source, dialect, settings(options), epp=epp)
        if found:
            findings += import_module("bunraku.cli.report").in_order(found)
    print_report(findings, options)
    failing = ("error", "warning") if options.fail_on_warnings else ("error",)
    failed = any(finding.severity in failing for finding in findings)
    return exits.FINDINGS if failed else exits.OK


def sources(options: argparse.Namespace) -> Iterator[tuple[Source, bool]]:
    """Each text to check, and whether it is a template."""
    if options.execute is None and not options.files:
        raise UsageError("nothing to validate: name files, folders, - or -e CODE")
    if options.execute is not None:
        yield Source(options.execute), options.epp
    for path in manifests(options.files):
        epp = path.endswith(".epp") or (path == "-" and options.epp)
        yield Source(read_text(path), path, on_disk=path != "-"), epp


def manifests(names: list[str]) -> Iterator[str]:
    """The files among the names, and those below the folders among them, in order."""
    for name in names:
        if os.path.isdir(name):
            yield from manifests_below(name, set())
        else:
            yield name


def manifests_below(folder: str, seen: set[str]) -> Iterator[str]:
    """Manifests and templates in a folder and those below it, each folder once: links may loop."""
    real = os.path.realpath(folder)
    if real in seen:
        return
    seen.add(real)
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise UsageError(f"cannot read {folder}: {error.strerror or error}") from error
    for name in names:
        path = os.path.join(folder, name)
        if name.endswith(SUFFIXES) and not os.path.isdir(path):
            yield path
        elif not name.startswith(".") and os.path.isdir(path):
            yield from manifests_below(path, seen)


def print_report(findings: list[Diagnostic], options: argparse.Namespace) -> None:
    """The findings are what was asked for: they go to standard output."""
    if options.format != "text":
        reports = import_module(MACHINE_REPORTS[options.format])
        write(getattr(reports, f"{options.format}_report")(findings))
    elif findings:
        report = import_module("bunraku.cli.report").text_report
        write(report(findings, paint_for(options, sys.stdout)))
        if len(findings) > 1:
            write_error(summary(findings))


def summary(findings: list[Diagnostic]) -> str:
    """How many of which kind.

    >>> summary([Diagnostic("X", ""), Diagnostic("X", ""), Diagnostic("Y", "", severity="warning")])
    '2 errors, 1 warning\\n'
    """
    counts = Counter(finding.severity for finding in findings)
    return ", ".join(f"{n} {name}{'s' if n > 1 else ''}" for name, n in counts.items()) + "\n"
