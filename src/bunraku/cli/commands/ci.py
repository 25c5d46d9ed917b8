"""Check a change of a control repository: its files, and what it does to each node.

The working tree is compared with the revision at which the change began.
"""

from __future__ import annotations

import argparse
import sys

from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.ci.formats import FORMATS
from bunraku.cli.ci.steps import result_of
from bunraku.cli.diff.repository import (
    add_match_option,
    add_repository_options,
)
from bunraku.cli.diff.revisions import (
    add_comparison_options,
)
from bunraku.cli.options.fact_sets import add_facterdb_option
from bunraku.cli.options.shared import (
    COLOURS,
    add_limit_options,
    add_output_options,
    add_process_options,
    positive,
)
from bunraku.cli.output.output import Paint, wants_colour, write
from bunraku.world.whole_files import write_whole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku ci``."""
    parser.add_argument(
        "--base",
        metavar="REVISION",
        help="compare with the last common commit with this revision (default: the target branch that "
        "the CI system names; otherwise production, main or master)",
    )
    parser.add_argument(
        "--format", choices=list(FORMATS), default="text", help="output format (default: text)"
    )
    parser.add_argument(
        "--report",
        action="append",
        default=[],
        metavar="FORMAT=FILE",
        help=f"also write a report to a file; FORMAT is {', '.join(FORMATS)}; may be repeated",
    )
    parser.add_argument(
        "--os",
        action="append",
        default=[],
        metavar="NAME",
        help="without facts of nodes: compile each class role::*, or the classes of a module, with the "
        "facts that FacterDB has for an operating system, such as debian-12 or debian-12-x86_64; may be "
        "repeated (default for a module: those in metadata.json)",
    )
    add_facterdb_option(parser)
    parser.add_argument(
        "--against",
        metavar="PUPPET",
        help="also compile a sample of the nodes with an installed Puppet (puppet, or the path of its "
        "executable), and fail if its catalogs differ from those of bunraku",
    )
    parser.add_argument(
        "--sample",
        type=positive,
        default=5,
        metavar="N",
        help="nodes that --against compiles, changed ones first (default: 5)",
    )
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="GLOB",
        help="do not check matching files; may be repeated",
    )
    parser.add_argument(
        "--fail-on-warnings",
        action="store_true",
        help="also exit with 1 for warnings on changed lines",
    )
    parser.add_argument(
        "--fail-on-changes", action="store_true", help="also exit with 1 if a catalog changes"
    )
    add_comparison_options(parser)
    add_match_option(parser)
    add_process_options(add_repository_options(parser))
    add_limit_options(parser, "file, catalog or comparison")
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the result; the exit code is 0 if the change may be merged, 1 otherwise, 2 in trouble."""
    reports = [report_of(text) for text in options.report]
    if options.os and (options.facts_folder or options.facts_from):
        raise UsageError("give --os or facts of nodes, not both")
    result = result_of(options)
    failed = result.fails(warnings=options.fail_on_warnings, changes=options.fail_on_changes)
    for format_, path in reports:
        write_report(FORMATS[format_](result, Paint(enabled=False), failed), path)
    paint = Paint(enabled=wants_colour(COLOURS[options.color], sys.stdout))
    write(FORMATS[options.format](result, paint, failed))
    if result.unchecked:
        return exits.TROUBLE
    return exits.FINDINGS if failed else exits.OK


def report_of(text: str) -> tuple[str, str]:
    """Return format and file of ``--report``."""
    format_, equals, path = text.partition("=")
    if not equals or not path:
        raise UsageError(f"--report: expected FORMAT=FILE, not {text!r}")
    if format_ not in FORMATS:
        near = suggestion(format_, FORMATS) or f"; expected one of {', '.join(FORMATS)}"
        raise UsageError(f"--report: unknown format {format_!r}{near}")
    return format_, path


def write_report(text: str, path: str) -> None:
    """Write a report to a file."""
    try:
        write_whole(path, text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
