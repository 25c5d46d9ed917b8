"""Format manifests and the code in EPP templates. Files with syntax errors are left alone."""

from __future__ import annotations

import argparse
import gc
import re
import sys

from bunraku.base.excerpt import visible
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import GENERAL, TEXT, Rules
from bunraku.cli.options.shared import paint_for, read_text
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.findings import one_report
from bunraku.cli.report.formatted import diff_text, totals_of_files
from bunraku.jobs.format import FormatOptions, FormatResult, format_files


def line_range(text: str) -> range:
    """Return the lines that an option names.

    >>> line_range("3-5"), line_range("7")
    (range(3, 6), range(7, 8))
    """
    found = re.fullmatch(r"([1-9]\d*)(?:-([1-9]\d*))?", text)
    if found is None or int(found[2] or found[1]) < int(found[1]):
        raise argparse.ArgumentTypeError(f"'{text}' is not LINE or LINE-LINE, such as 10-20")
    return range(int(found[1]), int(found[2] or found[1]) + 1)


OPTIONS = f"""
files [PATH]...: manifests, EPP templates and directories; - reads standard input and prints the
    result. Without PATH, the project in which the command runs
--check: write nothing, list the files that would change
--diff: write nothing, print the changes
--range LINE-LINE: format only the statements and lists around these lines of one file; can be
    repeated
--changed REVISION: format only what differs from this git revision: statements and lists with
    changed lines
--stdin-filename PATH: the path that standard input has
@exclude
@jobs
{GENERAL}
"""
RULES: Rules = {"range": {"action": "append", "type": line_range}, "stdin_filename": TEXT}


def run(options: argparse.Namespace) -> int:
    """Format what is named and print one line about it."""
    gc.disable()  # syntax trees hold no cycles, and there are many nodes in them
    standard_input = "-" in options.files
    if standard_input and len(options.files) > 1:
        raise UsageError("give - or paths, not both")
    if options.stdin_filename and not standard_input:
        raise UsageError("--stdin-filename requires - as the PATH")
    if options.changed is not None and (options.range or standard_input):
        raise UsageError("--changed requires files, and no --range")
    if options.range and len(options.files) != 1:
        raise UsageError("--range requires one file")
    chosen = FormatOptions(
        options.files,
        read_text("-") if standard_input else "",
        options.stdin_filename,
        options.exclude,
        options.range,
        options.changed,
        write=not (options.check or options.diff or standard_input),
    )
    result = format_files(context_of(options, below=True), chosen)
    report(result, options, standard_input=standard_input)
    if result.problems:
        return exits.TROUBLE
    if result.errors or (options.check and result.changed):
        return exits.FINDINGS
    return exits.OK


def report(result: FormatResult, options: argparse.Namespace, *, standard_input: bool) -> None:
    """Print the result: changes, the text of standard input, errors, and the number of files."""
    for error in (*result.errors, *result.problems):
        write_error(one_report(error, paint_for(options)))
    if options.diff:
        paint = paint_for(options, sys.stdout)
        write("".join(diff_text(one, paint) for one in result.changed))
    elif options.check:
        write("".join(f"{visible(one.source.path)}\n" for one in result.changed))
    elif standard_input:
        write("".join(one.text for one in result.outcomes))
        return
    write_error(totals_of_files(result, is_written=not (options.check or options.diff)))
