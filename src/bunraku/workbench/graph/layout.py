"""Places of nodes in a picture: layers from left to right, with boxes around what a container contains.

Each box is laid out by itself. An edge orders the two parts of the innermost box around both of its ends. A part is in
the layer behind the last part that it depends on; within a layer, parts are ordered by the mean position of
their neighbours. The page of ``graph --format html`` does the same with what it shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

from bunraku.base.records import field, record
from bunraku.workbench.graph.model import Graph

CHARACTER, LINE = 6.7, 20.0
"""The size of a character and the height of a node, in pixels."""
HEADING, MARGIN, GAP, BETWEEN = 22.0, 10.0, 8.0, 56.0
LONGEST = 48
"""Characters of a label that are shown."""
SWEEPS = 4
WIDER = 1.8
"""How much wider than high a box may be."""
UNBROKEN = 1100.0
"""Layers of this width stay in one line."""


@record()
class Part:
    """A node with its place; ``parts`` are the nodes in it."""

    name: str
    width: float = 0.0
    height: float = LINE
    x: float = 0.0
    y: float = 0.0
    parts: list[Part] = field(default_factory=list)


Edges = Sequence[tuple[int, int]]


def layout(graph: Graph, *, nested: bool) -> Part:
    """Return the parts of a picture, each with its place in it; ``nested`` draws boxes."""
    parts = {node.name: Part(node.name, width_of(node.name)) for node in graph.nodes}
    above = containers(graph) if nested else {}
    root = Part("")
    for name, part in parts.items():
        parts.get(above.get(name, ""), root).parts.append(part)
    inside: dict[str, list[tuple[str, str]]] = {}
    for edge in graph.edges:
        if not (nested and edge.layer == "containment"):
            level, pair = common_level(edge.source, edge.target, above)
            if pair is not None:
                inside.setdefault(level, []).append(pair)
    part_size(root, inside)
    move(root, 0, 0)
    return root


def containers(graph: Graph) -> dict[str, str]:
    """Return the container of each node, without stages and without circles."""
    known = {node.name for node in graph.nodes if node.type != "Stage"}
    above = {node.name: node.container for node in graph.nodes if node.container in known}
    for name in list(above):
        seen, at = {name}, above.get(name, "")
        while at and at not in seen:
            seen.add(at)
            at = above.get(at, "")
        if at:
            del above[name]
    return above


def chain(name: str, above: Mapping[str, str]) -> list[str]:
    """Return a node and its containers, the outermost first; the whole picture is the first of all."""
    found = [name]
    while found[-1] in above:
        found.append(above[found[-1]])
    return ["", *reversed(found)]


def common_level(
    source: str, target: str, above: Mapping[str, str]
) -> tuple[str, tuple[str, str] | None]:
    """Return the innermost box around both ends of an edge, and the parts of it that it joins."""
    ways = chain(source, above), chain(target, above)
    level = ""
    for one, other in zip(*ways, strict=False):
        if one != other:
            return level, (one, other)
        level = one
    return level, None


def width_of(name: str) -> float:
    """Return the width of a node with a label."""
    return min(len(name), LONGEST) * CHARACTER + 2 * GAP


def part_size(part: Part, inside: Mapping[str, list[tuple[str, str]]]) -> None:
    """Give the parts of a part their places in it, and the part its size."""
    if not part.parts:
        return
    for one in part.parts:
        part_size(one, inside)
    index = {one.name: number for number, one in enumerate(part.parts)}
    pairs = dict.fromkeys((index[a], index[b]) for a, b in inside.get(part.name, ()))
    arrange(part.parts, list(pairs))
    part.width = max(part.width, MARGIN + max(one.x + one.width for one in part.parts))
    part.height = MARGIN + max(one.y + one.height for one in part.parts)


def move(part: Part, x: float, y: float) -> None:
    """Move a part and all in it from places in their boxes to places in the picture."""
    part.x += x
    part.y += y
    for one in part.parts:
        move(one, part.x, part.y)


@record()
class PartColumn:
    """Parts above each other, and the gap behind them, which is wider behind a layer."""

    parts: list[Part] = field(default_factory=list)
    height: float = 0.0
    width: float = 0.0
    gap: float = GAP


def arrange(parts: Sequence[Part], edges: Edges) -> None:
    """Give parts their places: those with edges in layers, which wrap as lines of text, the others below."""
    joined = {number for edge in edges for number in edge}
    area = sum((one.width + GAP) * (one.height + GAP) for one in parts)
    found = [
        column
        for layer in layers_of(sorted(joined), edges)
        for column in part_columns([parts[number] for number in layer], sqrt(area / WIDER))
    ]
    length = sum(column.width + column.gap for column in found)
    highest = max((column.height + BETWEEN for column in found), default=0.0)
    width = max(sqrt(length * highest * WIDER), sqrt(area * WIDER), min(length, UNBROKEN))
    bottom = bands(found, width)
    rows([one for number, one in enumerate(parts) if number not in joined], width, bottom)


def part_columns(parts: Sequence[Part], limit: float) -> list[PartColumn]:
    """Return the columns of a layer, each about as high as a limit at most."""
    found: list[PartColumn] = []
    for one in parts:
        if not found or found[-1].height + one.height > limit:
            found.append(PartColumn())
        column = found[-1]
        column.parts.append(one)
        column.height += one.height + GAP
        column.width = max(column.width, one.width)
    found[-1].gap = BETWEEN
    return found


def bands(found: Sequence[PartColumn], width: float) -> float:
    """Give the parts of columns their places in bands of a width; return where the last one ends."""
    x, y, height = MARGIN, HEADING, 0.0
    for column in found:
        if x > MARGIN and x + column.width > width:
            x, y, height = MARGIN, y + height + BETWEEN, 0.0
        top = y
        for one in column.parts:
            one.x, one.y = x, top
            top += one.height + GAP
        height = max(height, column.height)
        x += column.width + column.gap
    return y + height


def rows(parts: Iterable[Part], width: float, top: float) -> None:
    """Give parts places in rows of a width."""
    x, y, height = MARGIN, top, 0.0
    for one in parts:
        if x > MARGIN and x + one.width > width:
            x, y, height = MARGIN, y + height + GAP, 0.0
        one.x, one.y = x, y
        x += one.width + GAP
        height = max(height, one.height)


def layers_of(numbers: Sequence[int], edges: Edges) -> list[list[int]]:
    """Return the layers of nodes that edges join, each in an order with few crossings."""
    after: dict[int, list[int]] = {number: [] for number in numbers}
    before: dict[int, list[int]] = {number: [] for number in numbers}
    backward = back_edges(numbers, edges)
    for source, target in edges:
        if (source, target) not in backward:
            after[source].append(target)
            before[target].append(source)
    ranks = ranks_of(after, before)
    found: list[list[int]] = [[] for _ in range(max(ranks.values(), default=-1) + 1)]
    for number in numbers:
        found[ranks[number]].append(number)
    for sweep in range(SWEEPS):
        sort_layers(found if sweep % 2 == 0 else found[::-1], before if sweep % 2 == 0 else after)
    return found


def back_edges(numbers: Sequence[int], edges: Edges) -> set[tuple[int, int]]:
    """Return the edges that lead back on a walk through a graph: without them, it has no cycle."""
    after: dict[int, list[int]] = {number: [] for number in numbers}
    for source, target in edges:
        after[source].append(target)
    found: set[tuple[int, int]] = set()
    open_: set[int] = set()
    done: set[int] = set()
    for root in numbers:
        if root in done:
            continue
        open_.add(root)
        ways = [(root, iter(after[root]))]
        while ways:
            number, rest = ways[-1]
            target = next(rest, -1)
            if target < 0:
                ways.pop()
                open_.discard(number)
                done.add(number)
            elif target in open_:
                found.add((number, target))
            elif target not in done:
                open_.add(target)
                ways.append((target, iter(after[target])))
    return found


def ranks_of(
    after: Mapping[int, Sequence[int]], before: Mapping[int, Sequence[int]]
) -> dict[int, int]:
    """Return the layer of each node: one more than that of the last node before it."""
    waiting = {number: len(sources) for number, sources in before.items()}
    ranks = dict.fromkeys(before, 0)
    ready = [number for number, count in waiting.items() if not count]
    for number in ready:
        for target in after[number]:
            ranks[target] = max(ranks[target], ranks[number] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return ranks


def sort_layers(layers: Sequence[list[int]], neighbours: Mapping[int, Sequence[int]]) -> None:
    """Sort each layer by the mean position of its neighbours in the layers before it."""
    position: dict[int, float] = {}
    for layer in layers:
        start = {number: index / len(layer) for index, number in enumerate(layer)}
        means = {
            number: sum(position[one] for one in neighbours[number]) / len(neighbours[number])
            if neighbours[number]
            else start[number]
            for number in layer
        }
        layer.sort(key=means.__getitem__)
        position.update((number, index / len(layer)) for index, number in enumerate(layer))
