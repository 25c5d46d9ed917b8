"""Differences of catalogs in print: text, Markdown, JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bunraku.base.excerpt import visible
from bunraku.catalog.compare import ABSENT, REDACTED, Change, ResourceChange
from bunraku.cli.diff.page import as_html
from bunraku.cli.output.output import Paint
from bunraku.cli.report.findings import as_data
from bunraku.formats.json import clean_json_text
from bunraku.jobs.change_groups import Group, Item, Line, groups_of, items_of, marked, totals
from bunraku.jobs.comparison import Comparison, NodeComparison
from bunraku.workbench.origins.causes import Cause

STYLES = {"+": "green", "-": "red", "@": "cyan"}


def lines_of(one: NodeComparison) -> Iterator[Line]:
    """Return the lines about a node that is not the same on both sides."""
    for item in items_of(one):
        yield from item.lines


def as_text(report: Comparison, paint: Paint) -> str:
    """Return the differences for people; nothing when all catalogs are the same."""
    groups = groups_of(report.nodes)
    if not groups:
        return ""
    out = [paint("red", f"--- {visible(report.old)}"), paint("green", f"+++ {visible(report.new)}")]
    for group in groups:
        out.append(paint("bold", visible(group.title)))
        lines = marked(group.lines())
        out += [paint(STYLES[mark], text) if mark else text for mark, text in lines]
    if len(report.nodes) > 1:
        out.append(totals(report.nodes).text())
    return "".join(f"{line}\n" for line in out)


def as_markdown(report: Comparison, _paint: Paint) -> str:
    """Return the differences for the discussion of a change, each group of nodes folded."""
    out = [
        f"### Catalog changes: {code(report.old)} → {code(report.new)}",
        "",
        f"**{totals(report.nodes).text()}**",
        "",
    ]
    for group in groups_of(report.nodes):
        lines = [text for _mark, text in marked(group.lines())]
        fence = "`" * max(3, 1 + max(map(backticks, lines), default=0))
        out += [
            f"<details><summary>{escaped(visible(group.title))}</summary>",
            "",
            *(node_list(group)),
            f"{fence}diff",
            *lines,
            fence,
            "",
            "</details>",
            "",
        ]
    return "\n".join(out).rstrip("\n") + "\n"


def node_list(group: Group) -> list[str]:
    """Return all nodes of a group, where the headline does not name them."""
    if len(group.nodes) <= 10 and not group.every:
        return []
    return [", ".join(code(visible(node)) for node in group.nodes), ""]


def code(text: str) -> str:
    """Return text as code in Markdown."""
    fence = "`" * (1 + backticks(text, 1))
    return f"{fence}{text}{fence}"


def escaped(text: str) -> str:
    """Return unchanged text, between tags in Markdown."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def backticks(text: str, least: int = 3) -> int:
    """Return the length of the longest row of backticks in a text, from a least length on."""
    longest = 0
    for piece in text.split("`" * least)[1:]:
        longest = max(longest, least + len(piece) - len(piece.lstrip("`")))
    return longest


def as_json(report: Comparison, _paint: Paint) -> str:
    """Return the differences for programs: of each node, and grouped."""
    found = totals(report.nodes)
    return clean_json_text(
        {
            "schema": 1,
            "old": report.old,
            "new": report.new,
            "totals": {
                "nodes": {"differ": found.differ, "failed": found.failed, "same": found.same},
                "resources": {
                    "added": found.added,
                    "removed": found.removed,
                    "changed": found.changed,
                },
            },
            "groups": [
                {
                    "nodes": list(group.nodes),
                    "changes": [item_data(item) for item in group.items],
                }
                for group in groups_of(report.nodes)
            ],
            "nodes": [node_data(one) for one in report.nodes],
        }
    )


def item_data(item: Item) -> dict[str, Any]:
    """Return a change of a group as data."""
    text = "\n".join(text for _mark, text in marked(item.lines))
    data = {"kind": item.kind, "resource": item.resource or None, "text": text}
    return {**data, "because": list(item.because)} if item.because else data


def node_data(one: NodeComparison) -> dict[str, Any]:
    """Return a node's comparison as data."""
    found = one.difference
    return {
        "node": one.node,
        "status": one.status,
        "only_in": one.missing or None,
        "added": [resource_data(one, item, "new") for item in found.added],
        "removed": [resource_data(one, item, "old") for item in found.removed],
        "changed": [
            {
                "resource": item.reference,
                "place": item.place or None,
                "parameters": [
                    {
                        **change_data(change),
                        **causes_data(one.causes.get((item.reference, change.name), ())),
                    }
                    for change in item.changes
                ],
            }
            for item in found.changed
        ],
        "edges": {"added": found.edges_added, "removed": found.edges_removed},
        "classes": {"added": found.classes_added, "removed": found.classes_removed},
        **causes_data(one.inputs, "inputs"),
        "diagnostics": [{"side": side, **as_data(finding)} for side, finding in one.findings],
    }


def resource_data(one: NodeComparison, item: ResourceChange, side: str) -> dict[str, Any]:
    """Return a resource that is on one side only."""
    values = {change.name: hidden(getattr(change, side)) for change in item.changes}
    data = {"resource": item.reference, "place": item.place or None, "parameters": values}
    return {**data, **causes_data(one.causes.get((item.reference, ""), ()))}


def causes_data(causes: Sequence[Cause], name: str = "because") -> dict[str, Any]:
    """Return why something differs, if that is known, under a name."""
    found = [one.data for one in causes]
    return {name: found} if found else {}


def change_data(change: Change) -> dict[str, Any]:
    """Return a parameter that differs; a side without it is left out.

    ``sensitive`` means that the sides differ in values that are not shown.
    """
    sides = {"old": change.old, "new": change.new}
    found = {side: hidden(value) for side, value in sides.items() if value is not ABSENT}
    if change.hidden and found["new"] == REDACTED:
        found["new"] = f"{REDACTED} (changed)"
    return {"name": change.name, **found, **({"sensitive": True} if change.hidden else {})}


def hidden(value: Any) -> Any:
    """Return a value with text in place of sensitive values."""
    if isinstance(value, dict):
        if value.get("__ptype") == "Sensitive":
            return REDACTED
        return {key: hidden(item) for key, item in value.items()}
    return [hidden(item) for item in value] if isinstance(value, list) else value


FORMATS = {"text": as_text, "json": as_json, "markdown": as_markdown, "html": as_html}
