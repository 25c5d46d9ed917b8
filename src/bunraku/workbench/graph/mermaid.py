"""Graphs as Mermaid flowcharts, which GitHub and GitLab draw in Markdown."""

from __future__ import annotations

from bunraku.base.excerpt import visible
from bunraku.workbench.graph.model import Graph, GraphEdge, GraphNode

STYLES = {
    "added": "stroke:#116329,fill:#e6f6ea,color:#1c2128",
    "removed": "stroke:#b31d28,fill:#fdecec,color:#1c2128",
    "changed": "stroke:#0b5cad,fill:#e7f1fb,color:#1c2128",
    "cycle": "stroke:#b31d28,stroke-width:3px",
}
SHAPES = {
    "class": ("[[", "]]"),
    "defined type": ("[[", "]]"),
    "data file": ("[(", ")]"),
    "key": ("([", "])"),
    "parameter": ("([", "])"),
    "resource": ("[", "]"),
}


def mermaid_text(graph: Graph) -> str:
    """Return a graph as a flowchart from left to right."""
    numbers = {node.name: f"n{number}" for number, node in enumerate(graph.nodes)}
    on_cycles = {one for cycle in graph.cycles for one in cycle}
    lines = ["flowchart LR"]
    for node in graph.nodes:
        style = "cycle" if node.name in on_cycles else node.state
        lines.append(f"  {numbers[node.name]}{shape(node)}{f':::{style}' if style else ''}")
    lines += [
        f"  {numbers[edge.source]} {arrow(edge)} {numbers[edge.target]}" for edge in graph.edges
    ]
    used = {node.state for node in graph.nodes} | ({"cycle"} if on_cycles else set())
    lines += [f"  classDef {name} {style}" for name, style in STYLES.items() if name in used]
    return "\n".join(lines) + "\n"


def shape(node: GraphNode) -> str:
    """Return the label of a node in the brackets of its kind."""
    opening, closing = SHAPES[node.kind]
    return f'{opening}"{escaped(node.name)}"{closing}'


def arrow(edge: GraphEdge) -> str:
    """Return an arrow with its label."""
    line = (
        "==>"
        if edge.on_cycle
        else "-.->"
        if edge.kind in ("automatic", "contains", "may include")
        else "-->"
    )
    words = [edge.label or ("" if edge.kind == "before" else edge.kind), edge.state]
    label = ", ".join(filter(None, words))
    return f'{line}|"{escaped(label)}"|' if label else line


def escaped(text: str) -> str:
    """Return a text on one line with the entities that Mermaid reads; nothing in it is markup.

    >>> escaped('a "b" #1;')
    'a #quot;b#quot; #35;1#59;'
    """
    plain = visible(text).replace("#", "\0").replace(";", "#59;").replace("\0", "#35;")
    named = {'"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "#96;"}
    return "".join(named.get(char, char) for char in plain)
