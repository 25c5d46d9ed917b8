"""Compare catalogs: two files, two directories, git revisions, or the working tree.

The order of resources, places in manifests and versions are not compared.
"""

from __future__ import annotations

import argparse
import sys

from bunraku.base.errors import PuppetError
from bunraku.base.file_reading import LARGEST_CATALOG
from bunraku.cli import exits
from bunraku.cli.diff.text import FORMATS
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import CHOICE_OF_NODES, GENERAL, Rules, choice, limits
from bunraku.cli.options.nodes import chosen_nodes
from bunraku.cli.options.repository import (
    COMPARISON,
    COMPARISON_RULES,
    REPOSITORY,
    compare_options,
    repository_context,
)
from bunraku.cli.options.shared import paint_for, read_text
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.findings import text_report
from bunraku.jobs.compare import compare_directories, compare_files, compare_revisions
from bunraku.jobs.compared_kinds import kind_of_all
from bunraku.jobs.comparison import Comparison
from bunraku.jobs.failure_notes import missing_notes

OPTIONS = f"""
sides [A]...: two catalogs, two directories of catalogs, two git revisions (A B, A..B, or A...B from
    their last common commit), or one revision to compare with the working tree (default: HEAD)
--format: output format (default: text)
{COMPARISON}
--exit-zero: exit with 0 even if catalogs differ
{CHOICE_OF_NODES}
{REPOSITORY}
{limits("catalog or comparison")}
{GENERAL}
"""
RULES: Rules = {**COMPARISON_RULES, "format": choice(*FORMATS)}


def run(options: argparse.Namespace) -> int:
    """Print the differences; the exit code is diff's: 0 same, 1 different, 2 trouble."""
    try:
        comparison = COMPARISONS[kind_of_all(options.sides)](options)
    except PuppetError as error:
        write_error(text_report(error, paint_for(options)))
        return exits.TROUBLE
    paint = paint_for(options, sys.stdout)
    write(FORMATS[options.format](comparison, paint))
    return exits.of_comparison(comparison.status, exit_zero=options.exit_zero)


def of_files(options: argparse.Namespace) -> Comparison:
    """Compare two catalogs."""
    old, new = options.sides
    texts = [read_text(path, LARGEST_CATALOG) for path in (old, new)]
    return compare_files(
        texts[0], texts[1], (old, new), context_of(options), compare_options(options)
    )


def of_directories(options: argparse.Namespace) -> Comparison:
    """Compare two directories of catalogs."""
    old, new = options.sides
    return compare_directories(old, new, context_of(options), compare_options(options))


def of_revisions(options: argparse.Namespace) -> Comparison:
    """Compare two states of a repository."""
    context = repository_context(options)
    chosen = chosen_nodes(options)
    found = compare_revisions(options.sides, context, compare_options(options), chosen)
    if any(one.status == "failed" for one in found.nodes):
        write_error(missing_notes(context))
    return found


COMPARISONS = {"file": of_files, "directory": of_directories, "revision": of_revisions}
