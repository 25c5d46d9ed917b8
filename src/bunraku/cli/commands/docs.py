"""Write the documentation of a module or a control repository from the comments in its code."""

from __future__ import annotations

import argparse
import gc
import sys

from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import GENERAL, Rules, choice
from bunraku.cli.options.shared import paint_for
from bunraku.cli.output.output import write, write_error
from bunraku.cli.output.pages import STANDARD_OUTPUT, outdated, write_pages
from bunraku.jobs.docs import FORMATS, DocsOptions, Documentation, docs
from bunraku.workbench.docs.markdown import FORMS

OPTIONS = f"""
path [PATH]: a module or a control repository (default: the one in which the command runs)
--format: markdown (default): REFERENCE.md; json: the same as data, both as Puppet Strings writes
    them; html: a site that can be searched, with what data of Hiera sets
--out PLACE: the file, or the folder for several pages; - is standard output (default: REFERENCE.md
    of a module, standard output for its JSON, the folder 'reference' for a site and for a control
    repository)
--strings-version: the form of REFERENCE.md: that of Puppet Strings 2 (to 2.9) or 4 (and 5)
    (default: as in the file that is replaced or checked, 2 for a new one)
--check: write nothing; exit with 1 if the documentation is not current
@fail_on_warnings
{GENERAL}
"""
RULES: Rules = {
    "path": {"default": "."},
    "format": choice(*FORMATS),
    "strings_version": {"choices": tuple(FORMS)},
}


def run(options: argparse.Namespace) -> int:
    """Write the pages, or compare them with the files; report mistakes in comments."""
    gc.disable()  # syntax trees hold no cycles, and there are many nodes in them
    result = docs(
        context_of(options),
        DocsOptions(options.path, options.format, options.strings_version, options.out),
    )
    code = report_findings(result, options)
    if result.site is not None:
        from bunraku.cli.docs.site import site_files

        result.pages = site_files(result.site)
    place = options.out or result.default or STANDARD_OUTPUT
    if options.check:
        if place == STANDARD_OUTPUT:
            raise UsageError("--check requires a file to compare with: name it with --out", "docs")
        old = outdated(result, place)
        write(old)
        return exits.FINDINGS if old else code
    write_pages(result, place)
    return code


def report_findings(result: Documentation, options: argparse.Namespace) -> int:
    """Print the findings to standard error, where they do not mix with a page; return the exit code."""
    if not result.findings:
        return exits.OK
    from bunraku.cli.report.findings import text_report
    from bunraku.cli.report.formats import findings_code, summary

    write_error(text_report(result.findings, paint_for(options, sys.stderr)))
    write_error(summary(result.findings))
    return findings_code(result.findings, fail_on_warnings=options.fail_on_warnings)
