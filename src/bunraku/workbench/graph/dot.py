"""Graphs for Graphviz, named as Puppet names its own: relationships, resources, expanded relationships."""

from __future__ import annotations

from bunraku.base.excerpt import visible
from bunraku.workbench.graph.model import Graph, GraphEdge, GraphKind, State

NAMES: dict[tuple[GraphKind, ...], str] = {
    ("relationships",): "Relationships",
    ("containment",): "Resources",
}
"""The kinds of a graph → the name that Puppet gives it."""
COLOURS: dict[State, str] = {"": "", "added": "#116329", "removed": "#b31d28", "changed": "#0b5cad"}
DOTTED = frozenset({"automatic", "contains", "may include"})


def dot_text(graph: Graph, name: str = "") -> str:
    """Return a graph in the language of Graphviz."""
    name = name or NAMES.get(tuple(graph.kinds), "Catalog")
    lines = [f"digraph {name} {{", f"    label = {quoted(name)}", "    rankdir = LR"]
    on_cycles = {one for cycle in graph.cycles for one in cycle}
    for node in graph.nodes:
        colour = "#b31d28" if node.name in on_cycles else COLOURS[node.state]
        options = {"label": f"{node.name} ({node.state})"} if node.state else {}
        if colour:
            options["color"] = options["fontcolor"] = colour
        lines.append(f"    {quoted(node.name)}{options_text(options)}")
    for edge in graph.edges:
        ends = f"{quoted(edge.source)} -> {quoted(edge.target)}"
        lines.append(f"    {ends}{options_text(edge_options(edge))}")
    return "\n".join([*lines, "}", ""])


def edge_options(edge: GraphEdge) -> dict[str, str]:
    """Return how an edge looks."""
    found = {} if edge.kind == "before" else {"label": edge.label or edge.kind}
    if edge.kind in DOTTED or edge.state == "removed":
        found["style"] = "dotted" if edge.kind in DOTTED else "dashed"
    if edge.on_cycle or edge.state:
        found["color"] = "#b31d28" if edge.on_cycle else COLOURS[edge.state]
    if edge.on_cycle:
        found["penwidth"] = "3"
    return found


def options_text(options: dict[str, str]) -> str:
    """Return options in brackets; nothing without any."""
    inner = ", ".join(f"{name} = {quoted(value)}" for name, value in options.items())
    return f" [{inner}]" if inner else ""


def quoted(text: str) -> str:
    r"""Return a text as a string of the language, on one line.

    >>> print(quoted('File[/a "b"\\]'))
    "File[/a \"b\"\\]"
    """
    shown = visible(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{shown}"'
