"""Check the style of manifests, as puppet-lint does, and correct it."""

from __future__ import annotations

import argparse
import gc
import os
import stat
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module

from bunraku.base.fences import fence
from bunraku.base.source import Source
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.lint import (
    PUPPET_LINT,
    add_lint_options,
    settings_of,
    with_configuration,
)
from bunraku.cli.options.shared import paint_for, read_text
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.puppet_lint import (
    FORMAT,
    WITH_PATH,
    Choices,
    puppet_lint_json,
    puppet_lint_lines,
)
from bunraku.workbench.lint.findings import Outcome
from bunraku.workbench.lint.registry import checks
from bunraku.workbench.lint.run import Settings, UnknownCheck, is_ignored, lint_source

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
        listed = (name for name, one in checks().items() if options.plugins or not one.plugin)
        write("".join(f"{name}\n" for name in listed))
        return exits.OK
    settings = settings_of(options)
    try:
        chosen = settings.chosen()
    except UnknownCheck as error:
        raise UsageError(str(error)) from error
    outcomes = []
    for source in sources(options, settings):
        outcome = lint_source(source, chosen, settings, fix=options.fix)
        for line, text in outcome.comments.unmatched:
            write_error(f"warning: {source.path}:{line}: {text}\n")
        outcomes.append(outcome)
    if options.fix:
        write_fixed(outcomes)
    print_report(outcomes, options)
    if options.codeclimate_report_file:
        write_code_climate(outcomes, options.codeclimate_report_file)
    failing = ("error", "warning") if options.fail_on_warnings else ("error",)
    return exits.FINDINGS if any(one.fails(failing) for one in outcomes) else exits.OK


def sources(options: argparse.Namespace, settings: Settings) -> Iterable[Source]:
    """Yield the manifests to check."""
    for name in options.files or ["."]:
        if name == "-":
            yield Source(read_text(name), name)
        elif (mode := mode_of(name)) is not None and stat.S_ISDIR(mode):
            options.with_filename = True
            for path in manifests_below(name, options):
                if not is_ignored(path, settings):
                    yield Source(read_text(path), path, on_disk=True)
        elif mode is None:
            near = import_module("bunraku.cli.options.project").near_path(name)
            raise UsageError(f"cannot find {name}{near}")
        elif not is_ignored(name, settings):
            options.with_filename = options.with_filename or len(options.files) > 1
            yield Source(read_text(name), name, on_disk=True)


def mode_of(path: str) -> int | None:
    """Return the mode of a file or directory; None without one."""
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):
        return None


def manifests_below(directory: str, options: argparse.Namespace) -> Iterable[str]:
    """Yield the paths of the manifests below a directory."""
    fence(directory)
    try:
        yield from found_below(directory, options)
    except OSError as error:
        raise UsageError(f"cannot read {error.filename}: {error.strerror}") from error


def found_below(directory: str, options: argparse.Namespace) -> Iterable[str]:
    """Yield the paths as :func:`manifests_below` does; raise OSError."""
    walk = import_module("bunraku.cli.options.checked_files").walk_of(options)
    manifest = import_module("bunraku.checks.kinds").MANIFEST
    return (path for path, kind in walk.files(directory) if kind == manifest)


def write_fixed(outcomes: Iterable[Outcome]) -> None:
    """Write the corrected files: all of them, or none if one cannot be written."""
    try:
        import_module("bunraku.workbench.lint.fixes").write_fixed(outcomes)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from error


def print_report(outcomes: Sequence[Outcome], options: argparse.Namespace) -> None:
    """Print the findings in the format that is wanted."""
    choices = Choices(
        options.log_format or (WITH_PATH if options.with_filename else FORMAT),
        options.error_level,
        options.show_ignored,
        options.with_context,
    )
    form = "sarif" if options.sarif else options.format
    if options.json:
        write(puppet_lint_json(outcomes, choices))
        return
    if form == PUPPET_LINT:
        write(puppet_lint_lines(outcomes, choices))
        return
    found = [one for outcome in outcomes for one in outcome.diagnostics()]
    found = [one for one in found if choices.includes(one.severity)]
    if form in REPORTS:
        write(getattr(import_module(REPORTS[form]), f"{form}_report")(found))
    else:
        report = import_module("bunraku.cli.report.findings").text_report
        write(report(found, paint_for(options, sys.stdout)))


def write_code_climate(outcomes: Iterable[Outcome], path: str) -> None:
    """Write the findings that remain for Code Climate and GitLab."""
    found = [one for outcome in outcomes for one in outcome.diagnostics()]
    text = import_module("bunraku.cli.report.codeclimate").codeclimate_report(found)
    try:
        import_module("bunraku.world.whole_files").write_whole(path, text.encode())
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
