"""Check a change of a control repository: its files, and what it does to each node.

The working tree is compared with the revision at which the change began.
"""

from __future__ import annotations

import argparse
import sys

from bunraku.cli import exits
from bunraku.cli.ci.formats import FORMATS
from bunraku.cli.options.lint import configured_settings
from bunraku.cli.options.nodes import add_choice_of_nodes, chosen_nodes
from bunraku.cli.options.repository import (
    add_comparison_options,
    add_repository_options,
    compare_options,
    repository_context,
)
from bunraku.cli.options.shared import (
    COLOURS,
    add_limit_options,
    add_option,
    add_options,
    add_output_options,
    positive,
)
from bunraku.cli.output.files import report_of, write_file
from bunraku.cli.output.output import Paint, wants_colour, write
from bunraku.jobs.ci import CiOptions, ci


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
    add_option(parser, "exclude", "do not check matching files")
    parser.add_argument(
        "--baseline", metavar="FILE", help="accept the findings of this baseline of bunraku check"
    )
    add_option(parser, "fail_on_warnings", "also exit with 1 for new warnings")
    parser.add_argument(
        "--fail-on-changes", action="store_true", help="also exit with 1 if a catalog changes"
    )
    add_comparison_options(parser)
    add_choice_of_nodes(parser)
    add_options(add_repository_options(parser), "jobs", "executor")
    add_limit_options(parser, "file, catalog or comparison")
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the result; the exit code is 0 if the change may be merged, 1 otherwise, 2 in trouble."""
    reports = [report_of(text, FORMATS) for text in options.report]
    context = repository_context(options)
    chosen = CiOptions(
        options.base,
        chosen_nodes(options),
        compare_options(options),
        options.against,
        options.sample,
        options.exclude,
        configured_settings(),
        options.baseline,
        options.fail_on_warnings,
        options.fail_on_changes,
    )
    result = ci(chosen, context)
    for format_, path in reports:
        write_file(path, FORMATS[format_](result, Paint(enabled=False)))
    paint = Paint(enabled=wants_colour(COLOURS[options.color], sys.stdout))
    write(FORMATS[options.format](result, paint))
    if result.failed:
        return exits.FINDINGS
    return exits.OK if result.is_complete else exits.TROUBLE
