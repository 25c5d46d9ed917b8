"""The kinds of edges that options name, and the formats of graphs that are text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

from bunraku.base.usage import UsageError
from bunraku.formats.json import clean_json_text
from bunraku.workbench.graph.data import graph_data
from bunraku.workbench.graph.dot import dot_text
from bunraku.workbench.graph.expanded import expanded_graph
from bunraku.workbench.graph.mermaid import mermaid_text
from bunraku.workbench.graph.model import Graph, GraphKind
from bunraku.workbench.graph.page_data import page_data
from bunraku.workbench.graph.svg import svg_text

EXPANDED, RESOURCES = "expanded_relationships", "resources"
KINDS = [*get_args(GraphKind), EXPANDED, RESOURCES]
"""The kinds of edges, and Puppet's names of graphs."""
ALIASES: dict[str, tuple[GraphKind, ...]] = {
    EXPANDED: ("relationships", "containment"),
    RESOURCES: ("containment",),
}
CATALOG: tuple[GraphKind, ...] = ("relationships", "containment")


def graph_kinds(names: Sequence[str], form: str, *, can_flow: bool) -> Sequence[GraphKind]:
    """Return the kinds that options name; a page has all kinds, and shows those that are named."""
    if EXPANDED in names and (form != "dot" or len(names) > 1):
        raise UsageError(f"--kind {EXPANDED} is for --format dot alone")
    meant = {kind for name in names for kind in ALIASES.get(name, (name,))}
    chosen: list[GraphKind] = [kind for kind in get_args(GraphKind) if kind in meant]
    if form == "html":
        return get_args(GraphKind) if can_flow else list(dict.fromkeys([*CATALOG, *chosen]))
    return chosen or ["relationships"]


def graph_page_data(graphs: Sequence[Graph], names: Sequence[str]) -> tuple[str, str, Any]:
    """Return title, subtitle and data of the page of graphs."""
    shown = graph_kinds(names, "", can_flow=True) if names else CATALOG
    return page_data(graphs, shown)


def graphs_dot(graphs: Sequence[Graph], names: Sequence[str]) -> str:
    """Return graphs for Graphviz."""
    if EXPANDED in names:
        return "".join(dot_text(expanded_graph(one), EXPANDED.capitalize()) for one in graphs)
    return "".join(map(dot_text, graphs))


def graph_svg(graphs: Sequence[Graph], _names: Sequence[str]) -> str:
    """Return the picture of one graph."""
    return svg_text(only_graph(graphs, "svg"))


def graph_mermaid(graphs: Sequence[Graph], _names: Sequence[str]) -> str:
    """Return one graph as a Mermaid flowchart."""
    return mermaid_text(only_graph(graphs, "mermaid"))


def graphs_json(graphs: Sequence[Graph], _names: Sequence[str]) -> str:
    """Return graphs for programs."""
    return clean_json_text({"schema": 1, "graphs": list(map(graph_data, graphs))})


def only_graph(graphs: Sequence[Graph], form: str) -> Graph:
    """Return the only graph; UsageError for several."""
    if len(graphs) != 1:
        raise UsageError(
            f"--format {form} draws one node, not {len(graphs)}; html, dot and json draw several"
        )
    return graphs[0]


EXTENSIONS = {
    "html": "html",
    "svg": "svg",
    "dot": "dot",
    "gv": "dot",
    "mmd": "mermaid",
    "json": "json",
}
"""The extension of a file → the format in it."""
FORMATS: dict[str, Callable[[Sequence[Graph], Sequence[str]], str]] = {
    "svg": graph_svg,
    "dot": graphs_dot,
    "mermaid": graph_mermaid,
    "json": graphs_json,
}
