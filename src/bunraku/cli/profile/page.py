"""A profile as one HTML page."""

from __future__ import annotations

from typing import Any

from bunraku.cli.pages.model import Box, Column, FlameGraph, Page, Place, Section, Table, Tile
from bunraku.cli.pages.render import page_html, place_text
from bunraku.workbench.profile import KINDS, Profile

SHOWN = 200
COLUMNS = (
    Column("Kind", filtered=True, narrow=True),
    Column("Name"),
    Column("Busiest line"),
    Column("Milliseconds", "number"),
    Column("Share (%)", "number"),
    Column("Own milliseconds", "number"),
)


def tree(profile: Profile) -> dict[str, Any]:
    """Return the stacks as a tree: name, kind, place, seconds, and children by cost."""
    root: dict[str, Any] = {"n": "all", "k": "main", "p": "", "s": profile.total, "c": {}}
    for stack, seconds in profile.seconds.items():
        node = root
        for level in stack:
            at = place_text(Place(level.file, level.line)) if level.file else ""
            fresh = {"n": level.label, "k": level.kind, "p": at, "s": 0.0, "c": {}}
            node = node["c"].setdefault((level.label, at), fresh)
            node["s"] += seconds
    return plain(root)


def plain(root: dict[str, Any]) -> dict[str, Any]:
    """Return the tree with lists of children, without recursion since code nests deeply."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        node["s"] = round(node["s"], 6)
        node["c"] = sorted(node["c"].values(), key=lambda child: -float(child["s"]))
        waiting.extend(node["c"])
    return root


def flat_boxes(root: dict[str, Any]) -> list[Box]:
    """Return the boxes of the graph, a level below those that it calls."""
    whole = root["s"] or 1.0
    boxes: list[Box] = []
    waiting = [(root, 0, 0.0)]
    while waiting:
        node, depth, start = waiting.pop()
        share = node["s"] / whole
        detail = f"{node['p']} {node['s'] * 1000:.1f} ms, {share:.1%}".strip()
        boxes.append(Box(depth, round(start, 6), round(share, 6), node["k"], node["n"], detail))
        for child in node["c"]:
            waiting.append((child, depth + 1, start))
            start += child["s"] / whole
    return boxes


def busiest_lines(profile: Profile) -> dict[tuple[str, str], Place]:
    """Return the line of each class, function, … in which most time was spent."""
    seconds: dict[tuple[str, str], dict[Place, float]] = {}
    for stack, spent in profile.seconds.items():
        for level in dict.fromkeys(stack):
            if level.file:
                lines = seconds.setdefault((level.kind, level.name), {})
                place = Place(level.file, level.line)
                lines[place] = lines.get(place, 0.0) + spent
    return {key: max(lines, key=lines.__getitem__) for key, lines in seconds.items()}


def page(profile: Profile, name: str) -> str:
    """Return the profile as a self-contained page: a flame graph, and a table of what took time."""
    total = profile.total or 1.0
    lines = busiest_lines(profile)
    rows = [
        (
            kind,
            what,
            lines.get((kind, what), ""),
            round(whole * 1000, 1),
            round(whole / total * 100, 1),
            round(alone * 1000, 1),
        )
        for kind, what, whole, alone in profile.totals()[:SHOWN]
    ]
    boxes = flat_boxes(tree(profile))
    kinds = list(dict.fromkeys((*KINDS, *(box.kind for box in boxes))))
    graph = FlameGraph("Flame graph of the compile", boxes, kinds)
    return page_html(
        Page(
            f"Profile of {name}",
            "Times on the clock. A box of the graph is a line of a manifest that was running; "
            "select a box to enlarge it.",
            [
                Tile("milliseconds", f"{profile.total * 1000:.0f}"),
                Tile("samples", str(profile.samples)),
            ],
            [
                Section("Flame graph", [graph]),
                Section("What took time", [Table("The most costly first", COLUMNS, rows)]),
            ],
        )
    )
