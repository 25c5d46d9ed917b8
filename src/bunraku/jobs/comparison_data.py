"""A comparison of catalogs for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bunraku.catalog.compare import ABSENT, REDACTED, Change, ResourceChange
from bunraku.jobs.change_groups import Item, groups_of, marked, totals
from bunraku.jobs.comparison import Comparison, NodeComparison
from bunraku.jobs.finding_data import finding_data
from bunraku.workbench.origins.causes import Cause


def comparison_data(report: Comparison) -> dict[str, Any]:
    """Return the differences for programs: of each node, and grouped."""
    found = totals(report.nodes)
    return {
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
        "diagnostics": [{"side": side, **finding_data(finding)} for side, finding in one.findings],
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
