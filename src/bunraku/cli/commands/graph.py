"""Draw the catalog of a node: its relationships, what contains what, who includes whom, which data flow where.

The graph is one HTML page that needs no network, an SVG picture, or text for Graphviz, for Mermaid or for programs.
It has no values of parameters.
"""

from __future__ import annotations

import argparse

from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.node import add_compile_options
from bunraku.cli.options.shared import add_options, observer_of
from bunraku.cli.output.files import write_file
from bunraku.cli.output.output import write
from bunraku.jobs.compile import CodeOrManifest
from bunraku.jobs.graph import GraphOptions, graphs
from bunraku.workbench.graph.formats import EXTENSIONS, FORMATS, KINDS, graph_kinds, graph_page_data

INTERMIXED = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku graph``."""
    parser.add_argument("nodes", nargs="*", metavar="NODE", help="draw the catalogs of these nodes")
    parser.add_argument("-e", "--execute", metavar="CODE", help="draw the catalog of this code")
    parser.add_argument("--catalog", metavar="FILE", help="draw the catalog in this file")
    compared = "a file with a catalog, or git revisions: OLD (with the working tree), OLD..NEW or OLD...NEW"
    parser.add_argument("--compare", metavar="OLD", help=f"draw the differences to {compared}")
    parser.add_argument(
        "--kind",
        dest="kinds",
        action="append",
        default=[],
        choices=KINDS,
        metavar="KIND",
        help=f"draw this kind of edges: {', '.join(KINDS)}; may be repeated "
        "(default: relationships; a page has all kinds and shows containment, too)",
    )
    parser.add_argument(
        "--format",
        choices=["html", *FORMATS],
        help="output format (default: that of the name of --out, or dot)",
    )
    parser.add_argument("--out", metavar="FILE", help="write the graph to this file")
    add_options(parser, "modulepath", "facts", "facts_folder", "node")
    add_compile_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print or write the graph."""
    out, names = options.out or "", options.kinds
    form = options.format or EXTENSIONS.get(out.rpartition(".")[2], "dot")
    context = context_of(options, observer_of(options), below=options.execute is None)
    chosen = GraphOptions(
        graph_kinds(names, form, can_flow=options.catalog is None and options.compare is None),
        options.nodes,
        CodeOrManifest(options.execute, None),
        options.catalog,
        options.compare,
    )
    found = graphs(context, chosen)
    if form == "html":
        from bunraku.cli.pages.render import graph_page

        text = graph_page(*graph_page_data(found, names))
    else:
        text = FORMATS[form](found, names)
    if out:
        write_file(out, text)
    else:
        write(text)
    return exits.OK
