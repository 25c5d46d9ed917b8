"""Check the style of manifests, as puppet-lint does, and correct it."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Sequence

from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.lint import PUPPET_LINT, add_lint_options, settings_of, with_configuration
from bunraku.cli.options.shared import paint_for, read_text
from bunraku.cli.output.files import write_file
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.formats import failing, report_text
from bunraku.jobs.lint import LintOptions, lint
from bunraku.jobs.puppet_lint import (
    FORMAT,
    WITH_PATH,
    Choices,
    puppet_lint_json,
    puppet_lint_lines,
)
from bunraku.workbench.lint.findings import Outcome
from bunraku.workbench.lint.registry import checks


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
    chosen = LintOptions(
        options.files,
        settings_of(options),
        options.fix,
        read_text("-") if "-" in options.files else "",
    )
    result = lint(context_of(options), chosen)
    for outcome in result.outcomes:
        for line, text in outcome.comments.unmatched:
            write_error(f"warning: {outcome.source.path}:{line}: {text}\n")
    with_path = options.with_filename or result.several
    choices = Choices(
        options.log_format or (WITH_PATH if with_path else FORMAT),
        options.error_level,
        options.show_ignored,
        options.with_context,
    )
    write(lint_report(result.outcomes, choices, options))
    if options.codeclimate_report_file:
        found = [one for outcome in result.outcomes for one in outcome.diagnostics()]
        paint = paint_for(options, sys.stdout)
        fails = options.fail_on_warnings
        text = report_text(found, "codeclimate", paint, fail_on_warnings=fails)
        write_file(options.codeclimate_report_file, text)
    severities = failing(fail_on_warnings=options.fail_on_warnings)
    return exits.FINDINGS if any(one.fails(severities) for one in result.outcomes) else exits.OK


def lint_report(outcomes: Sequence[Outcome], choices: Choices, options: argparse.Namespace) -> str:
    """Return the findings in the format that is wanted."""
    form = "sarif" if options.sarif else options.format
    if options.json:
        return puppet_lint_json(outcomes, choices)
    if form == PUPPET_LINT:
        return puppet_lint_lines(outcomes, choices)
    found = [one for outcome in outcomes for one in outcome.diagnostics()]
    found = [one for one in found if choices.includes(one.severity)]
    paint = paint_for(options, sys.stdout)
    return report_text(found, form, paint, fail_on_warnings=options.fail_on_warnings)
