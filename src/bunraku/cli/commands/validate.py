"""Check manifests, templates, Hiera data and configuration, module metadata and settings files."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.file_reading import is_stream
from bunraku.base.source import Place, Source
from bunraku.cli import exits
from bunraku.cli.options.language import dialect_for
from bunraku.cli.options.shared import (
    UsageError,
    add_language_options,
    add_limit_options,
    add_output_options,
    limits_of,
    paint_for,
    read_text,
    settings,
)
from bunraku.cli.output.output import write, write_error
from bunraku.engine.programs import check_program
from bunraku.limits.limits import Limited, Limits

MANIFEST, EPP = "manifest", "EPP template"
"""The kinds that the syntax alone checks, as ``checks.kinds`` calls them."""
MACHINE_REPORTS = {
    "json": "bunraku.cli.report.findings",
    "sarif": "bunraku.cli.report.sarif",
    "github": "bunraku.cli.report.findings",
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
    check = Checker(options)
    findings: list[Diagnostic] = []
    limits = limits_of(options)
    for source, kind in sources(options, check):
        found = within_limits(check, source, kind, limits)
        if found:
            findings += import_module("bunraku.cli.report.findings").in_order(found)
    print_report(findings, options)
    failing = ("error", "warning") if options.fail_on_warnings else ("error",)
    failed = any(finding.severity in failing for finding in findings)
    return exits.FINDINGS if failed else exits.OK


def within_limits(check: Checker, source: Source, kind: str, limits: Limits) -> list[Diagnostic]:
    """Return the findings of a text; if checking it takes too long or too much memory, only that."""
    try:
        with Limited(limits):
            return check(source, kind)
    except PuppetError as error:
        return list(error.at(Place(source.path or None)))


class Checker:
    """Checks texts according to their kind; ``modulepath`` has the modules of the project."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.dialect = dialect_for(options)
        self.settings = settings(options)
        self.modulepath: list[str | tuple[str, str]] = []

    def __call__(self, source: Source, kind: str) -> list[Diagnostic]:
        """Return the findings of a text."""
        if kind not in {MANIFEST, EPP}:
            found: list[Diagnostic] = import_module("bunraku.checks.run").check_file(source, kind)
            return found
        dialect = self.dialect
        if "plans" in source.path and import_module("bunraku.checks.files").has_tasks(source.path):
            dialect = dialect.with_syntax(tasks=True)
        source.is_template = kind == EPP
        modulepath = self.modulepath if self.defines(source.path) else ()
        return check_program(source, dialect, self.settings, modulepath).findings

    def defines(self, path: str) -> bool:
        """Return whether Puppet looks for definitions in a file of a module (not in examples)."""
        if not self.modulepath:
            return False
        places = import_module("bunraku.syntax.check.autoload")
        return places.namespace_of(path, self.modulepath) not in {None, places.NO_NAME}


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


def project_directory(options: argparse.Namespace, check: Checker) -> str:
    """Return the directory of the project; the checker learns which modules it has."""
    here = import_module("bunraku.cli.options.project")
    project = here.project_here(options, settings(options), below=True)
    if project.kind == "none":
        raise UsageError(
            f"nothing to validate: give files, directories, - or -e CODE ({project.reason})"
        )
    options.skipped = [(project.root, name) for name in project.value("exclude", ())]
    check.modulepath += map(os.path.relpath, project.value("modulepath", ()))
    modules = project.value("modules", {})
    check.modulepath += [(name, os.path.relpath(path)) for name, path in modules.items()]
    root: str = project.root
    return os.path.relpath(root)


def sources_below(directory: str, options: argparse.Namespace) -> Iterator[tuple[Source, str]]:
    """Yield the texts of a directory and their kinds."""
    patterns = [(os.getcwd(), pattern) for pattern in options.exclude]
    patterns += getattr(options, "skipped", [])
    configured = options.configured.get("exclude")
    if configured is not None:
        base = os.path.dirname(configured.file)
        patterns += [(base, pattern) for pattern in configured.value]
    walk = import_module("bunraku.checks.files").Walk(patterns)
    try:
        for path, kind in walk.files(directory):
            yield Source(read_text(path), path, on_disk=True), kind
    except OSError as error:
        raise UsageError(f"cannot read {error.filename}: {error.strerror or error}") from error


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
