"""Graphs as SVG pictures."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from bunraku.base.excerpt import visible
from bunraku.workbench.graph.layout import HEADING, LINE, LONGEST, MARGIN, Part, layout
from bunraku.workbench.graph.model import Graph, GraphEdge, GraphNode

STYLE = """\
svg { background: #fff; color: #1c2128; font: 11px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
rect { fill: #f6f7f9; stroke: #8a929c; } .box { fill: #57606a; fill-opacity: .05; } text { fill: #1c2128; }
path { fill: none; stroke: #57606a; } marker path { fill: #57606a; stroke: none; }
.notify, .subscribe { stroke: #0b5cad; } .automatic, .contains { stroke: #8a929c; stroke-dasharray: 3 3; }
rect.key, rect.parameter { rx: 9px; fill: #fff8e1; } .assigns, .flows { stroke: #805300; }
rect.added { fill: #e6f6ea; } .added { stroke: #116329; } rect.removed { fill: #fdecec; } .removed { stroke: #b31d28; stroke-dasharray: 6 3; }
rect.changed { fill: #e7f1fb; stroke: #0b5cad; } .cycle { stroke: #b31d28; stroke-width: 2.5; }
"""
BACK = 150.0
"""The most that an edge to the left bends, as on the page, so that it stays beside its ends."""
ARROW = (
    '<marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 0L8 4L0 8z"/></marker>'
)


def svg_text(graph: Graph) -> str:
    """Return a picture of a graph; boxes show containment beside edges of another kind."""
    nested = "containment" in graph.kinds and len(graph.kinds) > 1
    root = layout(graph, nested=nested)
    places = {part.name: part for part in parts_of(root)}
    width, height = (round(size + MARGIN) for size in (root.width, root.height))
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{text(graph.name)}: {', '.join(graph.kinds)}</title>",
        f"<style>\n{STYLE}</style>",
        f"<defs>{ARROW}</defs>",
    ]
    on_cycles = {name for cycle in graph.cycles for name in cycle}
    nodes = {node.name: node for node in graph.nodes}
    lines += [node_svg(part, nodes[part.name], on_cycles) for part in parts_of(root)]
    lines += [
        edge_svg(edge, places[edge.source], places[edge.target])
        for edge in graph.edges
        if not (nested and edge.layer == "containment")
    ]
    return "\n".join([*lines, "</svg>", ""])


def parts_of(part: Part) -> Iterator[Part]:
    """Yield the parts in a part, each before those in it."""
    for one in part.parts:
        yield one
        yield from parts_of(one)


def node_svg(part: Part, node: GraphNode, on_cycles: set[str]) -> str:
    """Return a box with its label; the whole name and the place are its tooltip."""
    names = [node.kind.replace(" ", "-"), node.state, "box" if part.parts else ""]
    names.append("cycle" if node.name in on_cycles else "")
    label = node.name if len(node.name) <= LONGEST else f"{node.name[: LONGEST - 1]}…"
    place = f" {node.path}:{node.line}" if node.path else ""
    changes = f" ({node.state}{': ' if node.changes else ''}{', '.join(node.changes)})"
    tip = f"{node.name}{place}{changes if node.state else ''}"
    y = part.y + (HEADING if part.parts else LINE) - 6
    return (
        f'<g><title>{text(tip)}</title><rect class="{" ".join(filter(None, names))}"'
        f' x="{part.x:.0f}" y="{part.y:.0f}" width="{part.width:.0f}" height="{part.height:.0f}" rx="3"/>'
        f'<text x="{part.x + 8:.0f}" y="{y:.0f}">{text(label)}</text></g>'
    )


def edge_svg(edge: GraphEdge, source: Part, target: Part) -> str:
    """Return a curve from the right side of a node to the left side of another one."""
    x, y = source.x + source.width, source.y + min(source.height, HEADING) / 2
    to_x, to_y = target.x, target.y + min(target.height, HEADING) / 2
    bend = max(30.0, abs(to_x - x) / 2 if to_x > x else min(BACK, (x - to_x) / 2))
    names = [edge.kind, edge.state, "cycle" if edge.on_cycle else ""]
    tip = f"{edge.source} → {edge.target}: {edge.label or edge.kind}"
    curve = f"M{x:.0f} {y:.0f}C{x + bend:.0f} {y:.0f} {to_x - bend:.0f} {to_y:.0f} {to_x:.0f} {to_y:.0f}"
    return (
        f'<path class="{" ".join(filter(None, names))}" d="{curve}" marker-end="url(#arrow)">'
        f"<title>{text(tip)}</title></path>"
    )


def text(value: str) -> str:
    """Return a text for SVG, on one line."""
    return escape(visible(value).encode("utf-8", "replace").decode())
