"""Draw the catalog of a node: its relationships, what contains what, who includes whom, which data flow where.

The graph is one HTML page that needs no network, an SVG picture, or text for Graphviz, for Mermaid or for programs.
It has no values of parameters.
"""

from __future__ import annotations

import argparse
import os

from bunraku.base.errors import PuppetError
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.node import add_facts_source_option, add_node_options
from bunraku.cli.options.shared import (
    add_language_options,
    add_limit_options,
    add_options,
    add_output_options,
    add_setting_options,
    observer_of,
    paint_for,
)
from bunraku.cli.output.files import write_file
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.findings import text_report
from bunraku.cli.report.graph import FORMATS, KINDS, kinds_of
from bunraku.jobs.compile import CodeOrManifest
from bunraku.jobs.graph import GraphOptions, graphs

INTERMIXED = True
EXTENSIONS = {
    ".html": "html",
    ".svg": "svg",
    ".dot": "dot",
    ".gv": "dot",
    ".mmd": "mermaid",
    ".json": "json",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku graph``."""
    parser.add_argument(
        "nodes", nargs="*", metavar="NODE", help="the nodes whose catalogs are compiled and drawn"
    )
    parser.add_argument("-e", "--execute", metavar="CODE", help="draw the catalog of this code")
    parser.add_argument("--catalog", metavar="FILE", help="draw the catalog in this file")
    parser.add_argument(
        "--compare",
        metavar="OLD",
        help="draw the differences to this file with a catalog, or those of git revisions: "
        "OLD (with the working tree), OLD..NEW or OLD...NEW",
    )
    parser.add_argument(
        "--kind",
        dest="kinds",
        action="append",
        choices=KINDS,
        metavar="KIND",
        help=f"draw this kind of edges: {', '.join(KINDS)}; may be repeated "
        "(default: relationships; in HTML all kinds that are known)",
    )
    parser.add_argument(
        "--format",
        choices=list(FORMATS),
        help="output format (default: that of the name of --out, or dot)",
    )
    parser.add_argument("--out", metavar="FILE", help="write the graph to this file")
    add_options(parser, "modulepath")
    add_options(parser, "facts", "facts_folder", "node")
    add_language_options(parser)
    add_setting_options(parser)
    add_node_options(parser)
    add_facts_source_option(parser)
    add_limit_options(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print or write the graph."""
    form = options.format or EXTENSIONS.get(os.path.splitext(options.out or "")[1], "dot")
    if options.node and options.nodes:
        raise UsageError("give NODE or --node, not both")
    context = context_of(options, observer_of(options), below=options.execute is None)
    is_alone = options.catalog is None and options.compare is None
    chosen = GraphOptions(
        kinds_of(options.kinds or [], form, can_flow=is_alone),
        options.nodes or ([options.node] if options.node else []),
        CodeOrManifest(options.execute, None),
        options.catalog,
        options.compare,
    )
    try:
        text = FORMATS[form](graphs(context, chosen), options.kinds or [])
    except PuppetError as error:
        write_error(text_report(error, paint_for(options)))
        return exits.FINDINGS
    if options.out:
        write_file(options.out, text)
    else:
        write(text)
    return exits.OK
