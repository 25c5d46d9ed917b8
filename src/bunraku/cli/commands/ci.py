"""Check a change of a control repository: its files, and what it does to each node.

The working tree is compared with the revision at which the change began.
"""

from __future__ import annotations

import argparse
import sys

from bunraku.cli import exits
from bunraku.cli.ci.formats import FORMATS
from bunraku.cli.options.declarations import CHOICE_OF_NODES, GENERAL, Rules, choice, limits
from bunraku.cli.options.lint import configured_settings
from bunraku.cli.options.nodes import chosen_nodes
from bunraku.cli.options.repository import (
    COMPARISON,
    COMPARISON_RULES,
    REPOSITORY,
    compare_options,
    repository_context,
)
from bunraku.cli.options.shared import paint_for, positive
from bunraku.cli.output.files import report_of, write_file
from bunraku.cli.output.output import Paint, write
from bunraku.jobs.ci import CiOptions, ci

OPTIONS = f"""
--base REVISION: compare with the last common commit with this revision (default: the target branch
    that the CI system names; otherwise production, main or master)
--format: output format (default: text)
--report FORMAT=FILE...: also write a report to a file; FORMAT is {", ".join(FORMATS)}; may be
    repeated
--against PUPPET: also compile a sample of the nodes with an installed Puppet (puppet, or the path
    of its executable), and fail if its catalogs differ from those of bunraku
--sample N: nodes that --against compiles, changed ones first (default: 5)
@exclude: do not check matching files; can be repeated
--baseline FILE: accept the findings of this baseline of bunraku check
@fail_on_warnings: also exit with 1 for new warnings
--fail-on-changes: also exit with 1 if a catalog changes
{COMPARISON}
{CHOICE_OF_NODES}
{REPOSITORY}
{limits("file, catalog or comparison")}
{GENERAL}
"""
RULES: Rules = {
    **COMPARISON_RULES,
    "format": choice(*FORMATS),
    "sample": {"default": 5, "type": positive},
}


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
    paint = paint_for(options, sys.stdout)
    write(FORMATS[options.format](result, paint))
    if result.failed:
        return exits.FINDINGS
    return exits.OK if result.is_complete else exits.TROUBLE
