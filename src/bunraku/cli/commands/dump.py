"""Show how a manifest becomes code: its tokens, syntax tree, Python code or bytecode."""

from __future__ import annotations

import argparse

from bunraku.base.errors import PuppetError, in_order
from bunraku.base.source import Place, Source
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import GENERAL, LANGUAGE, Rules, limits
from bunraku.cli.options.shared import paint_for, read_text
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.findings import text_report
from bunraku.jobs.dump import STAGES, dumped
from bunraku.limits.limits import Limited

OPTIONS = f"""
files [FILE]...: manifest files; - reads standard input
-e --execute CODE: show this code
--stage: the form to show (default: pn, the syntax tree)
--epp: the text of -e or - is an EPP template
{LANGUAGE}
{limits("file")}
{GENERAL}
"""
RULES: Rules = {"stage": {"choices": STAGES, "default": "pn"}}


def run(options: argparse.Namespace) -> int:
    """Print the stage of each text; texts that do not parse are reported and set the exit code to 1."""
    if options.execute is None and not options.files:
        raise UsageError("nothing to dump: give files, - or -e CODE")
    context = context_of(options)
    code = exits.OK
    texts = [] if options.execute is None else [(Source(options.execute), options.epp)]
    for path in options.files:
        epp = path.endswith(".epp") or (path == "-" and options.epp)
        texts.append((Source(read_text(path), path, on_disk=path != "-"), epp))
    for source, epp in texts:
        try:
            with Limited(context.limits):
                text, findings = dumped(source, context, options.stage, epp=epp)
        except PuppetError as error:
            text, findings = None, list(error.at(Place(source.path or None)))
        write_error(text_report(in_order(findings), paint_for(options)))
        if text is None:
            code = exits.FINDINGS
        else:
            write(text + "\n")
    return code
