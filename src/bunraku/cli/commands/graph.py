"""Draw the catalog of a node: its relationships, what contains what, who includes whom, which data flow where.

The graph is one HTML page that needs no network, an SVG picture, or text for Graphviz, for Mermaid or for programs.
It has no values of parameters.
"""

from __future__ import annotations

import argparse

from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import Rules, compile_options
from bunraku.cli.options.shared import observer_of
from bunraku.cli.output.files import write_file
from bunraku.cli.output.output import write
from bunraku.jobs.compile import CodeOrManifest
from bunraku.jobs.graph import GraphOptions, graphs
from bunraku.workbench.graph.formats import EXTENSIONS, FORMATS, KINDS, graph_kinds, graph_page_data

INTERMIXED = True


OPTIONS = f"""
nodes [NODE]...: draw the catalogs of these nodes
-e --execute CODE: draw the catalog of this code
--catalog FILE: draw the catalog in this file
--compare OLD: draw the differences to a file with a catalog, or git revisions: OLD (with the working tree),
    OLD..NEW or OLD...NEW
--kind KIND...: draw this kind of edges: {", ".join(KINDS)}; may be repeated (default:
    relationships; a page has all kinds and shows containment, too)
--format: output format (default: that of the name of --out, or dot)
--out FILE: write the graph to this file
@modulepath
@facts
@facts_folder
@node
{compile_options()}
"""
RULES: Rules = {
    "kind": {"dest": "kinds", "choices": KINDS},
    "format": {"choices": ["html", *FORMATS]},
}


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
