"""Build the archive of a module's release, as the Forge takes it."""

from __future__ import annotations

import argparse
import sys

from bunraku.base.excerpt import visible
from bunraku.cli import exits
from bunraku.cli.options.declarations import GENERAL, TEXT, Rules
from bunraku.cli.options.shared import paint_for
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.formats import print_findings
from bunraku.jobs.build import BuildOptions, build

OPTIONS = f"""
module [DIRECTORY]: the directory of the module (default: this one)
--out DIRECTORY: the directory of the archive (default: pkg in the module)
{GENERAL}
"""
RULES: Rules = {"module": {"default": "."}, "out": TEXT}


def run(options: argparse.Namespace) -> int:
    """Write the archive and say what is in it; metadata with errors ends with 1."""
    result = build(BuildOptions(options.module, options.out))
    paint = paint_for(options, sys.stdout)
    code = print_findings(result.findings, "text", paint, fail_on_warnings=False)
    if not result.archive:
        return code
    for link in result.links:
        write_error(f"warning: {visible(link)} is a link, so it is not in the archive\n")
    left_out = f"; not in it: {', '.join(result.left_out)}" if result.left_out else ""
    write(f"{visible(result.archive)}: {result.files} files{visible(left_out)}\n")
    return exits.OK
