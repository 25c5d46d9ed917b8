"""Look up Hiera keys as a node's manifests would, and explain where the values come from."""

from __future__ import annotations

import argparse

from bunraku.base.errors import PuppetError
from bunraku.base.source import Place
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import compile_options
from bunraku.cli.options.lookups import QUESTION, QUESTION_RULES, answer_text, question_from
from bunraku.cli.options.shared import level_of, observer_of
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.findings import text_report
from bunraku.jobs.failure_notes import lookup_notes
from bunraku.jobs.lookup import lookup

INTERMIXED = True


OPTIONS = f"""
{QUESTION}
-v --verbose: show informative messages
@modulepath
{compile_options("lookup")}
"""
RULES = QUESTION_RULES


def run(options: argparse.Namespace) -> int:
    """Print the value or the explanation."""
    question = question_from(options)
    observer = observer_of(options, level_of(options))
    context = context_of(options, observer, below=True)
    paint = observer.printer.paint
    try:
        answer, request = lookup(context, question)
        text = answer_text(answer, options.format)
    except PuppetError as error:
        write_error(text_report(error, paint))
        return exits.FINDINGS
    write(text)
    if answer.error is not None:
        if answer.explanation is not None and answer.is_missing:
            return exits.OK
        reason = answer.error if answer.error.place.file else answer.error.at(Place("lookup"))
        write_error(text_report(reason, paint))
        write_error(lookup_notes(context, request))
        return exits.FINDINGS
    return exits.OK
