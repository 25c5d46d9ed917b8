"""Check everything that validate checks, and analyse manifests without compiling them."""

from __future__ import annotations

import argparse
import gc
import sys

from bunraku.cli import exits
from bunraku.cli.options.checked_files import CHECKED_FILES, CHECKED_RULES, checked_fields
from bunraku.cli.options.context import context_of
from bunraku.cli.options.shared import paint_for
from bunraku.cli.output.files import write_file
from bunraku.cli.report.formats import print_findings
from bunraku.jobs.baseline import baseline_text
from bunraku.jobs.check import CheckOptions, check

FINDS_PROJECT_OF_FILES = True


OPTIONS = f"""
{CHECKED_FILES}
[options]
--only CODE...: of the analysis, report only this rule; can be repeated
--ignore CODE...: do not report this rule of the analysis; can be repeated
--baseline FILE: report only findings that are not in this baseline
--write-baseline FILE: write all findings to FILE as a baseline and report none
@modulepath
@hiera_config
"""
RULES = CHECKED_RULES


def run(options: argparse.Namespace) -> int:
    """Check everything that is named and print one report."""
    gc.disable()  # syntax trees hold no cycles, and there are many nodes in them
    chosen = CheckOptions(
        **checked_fields(options),
        only=options.only,
        ignore=options.ignore,
        baseline=None if options.write_baseline else options.baseline,
    )
    findings = check(context_of(options, below=True, named=options.files), chosen)
    if options.write_baseline:
        write_file(options.write_baseline, baseline_text(findings))
        return exits.OK
    return print_findings(
        findings,
        options.format,
        paint_for(options, sys.stdout),
        fail_on_warnings=options.fail_on_warnings,
    )
