"""The formats of graphs of catalogs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import get_args

from bunraku.base.usage import UsageError
from bunraku.formats.json import clean_json_text
from bunraku.workbench.graph.model import Graph, GraphKind

EXPANDED, RESOURCES = "expanded_relationships", "resources"
KINDS = [*get_args(GraphKind), EXPANDED, RESOURCES]
"""The kinds of edges, and Puppet's names of graphs."""
ALIASES: dict[str, tuple[GraphKind, ...]] = {
    EXPANDED: ("relationships", "containment"),
    RESOURCES: ("containment",),
}
CATALOG: tuple[GraphKind, ...] = ("relationships", "containment")


def kinds_of(names: Sequence[str], form: str, *, can_flow: bool) -> Sequence[GraphKind]:
    """Return the kinds that options name; a page has all kinds, and shows those that are named."""
    if EXPANDED in names and (form != "dot" or len(names) > 1):
        raise UsageError(f"--kind {EXPANDED} is for --format dot alone")
    meant = {kind for name in names for kind in ALIASES.get(name, (name,))}
    chosen: list[GraphKind] = [kind for kind in get_args(GraphKind) if kind in meant]
    if form == "html":
        return get_args(GraphKind) if can_flow else list(dict.fromkeys([*CATALOG, *chosen]))
    return chosen or ["relationships"]


def as_dot(graphs: Sequence[Graph], names: Sequence[str]) -> str:
    """Return graphs for Graphviz."""
    from bunraku.workbench.graph.dot import dot_text
    from bunraku.workbench.graph.expanded import expanded

    if EXPANDED in names:
        return "".join(dot_text(expanded(one), EXPANDED.capitalize()) for one in graphs)
    return "".join(map(dot_text, graphs))


def as_svg(graphs: Sequence[Graph], _names: Sequence[str]) -> str:
    """Return the picture of one graph."""
    from bunraku.workbench.graph.svg import svg_text

    return svg_text(only(graphs, "svg"))


def as_mermaid(graphs: Sequence[Graph], _names: Sequence[str]) -> str:
    """Return one graph as a Mermaid flowchart."""
    from bunraku.workbench.graph.mermaid import mermaid_text

    return mermaid_text(only(graphs, "mermaid"))


def as_json(graphs: Sequence[Graph], _names: Sequence[str]) -> str:
    """Return graphs for programs."""
    from bunraku.workbench.graph.data import graph_data

    return clean_json_text({"schema": 1, "graphs": list(map(graph_data, graphs))})


def as_html(graphs: Sequence[Graph], names: Sequence[str]) -> str:
    """Return one page with graphs."""
    from bunraku.cli.pages.graph import graph_page

    shown = kinds_of(names, "", can_flow=True)
    return graph_page(graphs, shown if names else CATALOG)


def only(graphs: Sequence[Graph], form: str) -> Graph:
    """Return the only graph; UsageError for several."""
    if len(graphs) != 1:
        raise UsageError(
            f"--format {form} draws one node, not {len(graphs)}; html, dot and json draw several"
        )
    return graphs[0]


FORMATS: dict[str, Callable[[Sequence[Graph], Sequence[str]], str]] = {
    "html": as_html,
    "svg": as_svg,
    "dot": as_dot,
    "mermaid": as_mermaid,
    "json": as_json,
}
