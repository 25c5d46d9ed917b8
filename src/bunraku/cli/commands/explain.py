"""Explain why a resource is in a catalog, and where the values of its parameters come from."""

from __future__ import annotations

import argparse
import sys

from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import CHOICE_OF_NODES, DATA_FORMATS, Rules, compile_options
from bunraku.cli.options.nodes import chosen_nodes
from bunraku.cli.options.shared import observer_of, paint_for
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.explanation import explanation_text
from bunraku.cli.report.findings import text_report
from bunraku.formats.json import clean_json_text
from bunraku.jobs.compile import CodeOrManifest
from bunraku.jobs.explain import ExplainOptions, explain_subject
from bunraku.jobs.explain_data import explain_data

INTERMIXED = True


OPTIONS = f"""
subject SUBJECT: File[/etc/motd], a class, a parameter of a class such as ntp::servers, or a Hiera
    key
parameters [PARAMETER]...: the parameters of the resource to explain (default: all)
-e --execute CODE: compile this code
--format: output format (default: text)
@modulepath
@facts
@node
[many nodes]
@facts_folder
{CHOICE_OF_NODES}
{compile_options()}
"""
RULES: Rules = {"parameters": {"default": ()}, "format": DATA_FORMATS}


def run(options: argparse.Namespace) -> int:
    """Print the explanations; without any, exit with 1."""
    observer = observer_of(options)
    context = context_of(options, observer, below=options.execute is None)
    chosen = ExplainOptions(
        options.subject,
        options.parameters,
        CodeOrManifest(options.execute, None),
        chosen_nodes(options),
    )
    result = explain_subject(context, chosen)
    for node, error in result.failed:
        write_error(f"{node}:\n{text_report(error, observer.printer.paint)}")
    if options.format == "json":
        write(clean_json_text(explain_data(result)))
    else:
        write(explanation_text(result, paint_for(options, sys.stdout)))
    if result.explained:
        return exits.OK
    if result.without:
        hint = f": {result.similar}" if result.similar else ""
        where = result.without[0] if len(result.without) == 1 else f"{len(result.without)} nodes"
        write_error(f"bunraku: {options.subject} is not in the catalog of {where}{hint}\n")
    return exits.FINDINGS
