"""Check manifests, templates, Hiera data and configuration, module metadata and settings files."""

from __future__ import annotations

import argparse
import gc
import sys

from bunraku.cli.options.checked_files import CHECKED_FILES, CHECKED_RULES, checked_fields
from bunraku.cli.options.context import context_of
from bunraku.cli.options.shared import paint_for
from bunraku.cli.report.formats import print_findings
from bunraku.jobs.validate import CheckedOptions, validate

OPTIONS = CHECKED_FILES
RULES = CHECKED_RULES


def run(options: argparse.Namespace) -> int:
    """Check everything that is named and print one report."""
    gc.disable()  # syntax trees hold no cycles, and there are many nodes in them
    context = context_of(options, below=True)
    findings = validate(context, CheckedOptions(**checked_fields(options)))
    return print_findings(
        findings,
        options.format,
        paint_for(options, sys.stdout),
        fail_on_warnings=options.fail_on_warnings,
    )
