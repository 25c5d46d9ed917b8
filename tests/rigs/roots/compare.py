"""Compare two outcomes of a case, level by level."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Outcome = dict[str, Any]

EVENT_KEYS = (
    "resource",
    "property",
    "old",
    "new",
    "status",
    "corrective_change",
    "audited",
    "redacted",
)
STATUS_KEYS = (
    "status",
    "noop",
    "noop_pending",
    "corrective_change",
    "transaction_completed",
    "metrics",
    "statuses",
)


def events(run: Outcome) -> list[dict[str, Any]]:
    """Return the events of a run; of audits only the explicit ones."""
    found = (run.get("report") or {}).get("events", [])
    return [event for event in found if event["status"] != "audit" or event.get("audited")]


def changes(run: Outcome) -> list[str]:
    """Return the changes in each event, in a fixed order."""
    rows = [[event.get(key) for key in EVENT_KEYS] for event in events(run)]
    return sorted(json.dumps(row, ensure_ascii=False) for row in rows)


def statuses(run: Outcome) -> dict[str, Any]:
    """Return the summary of the report, its metrics, and the status of each resource."""
    report = run.get("report") or {}
    return {key: report.get(key) for key in STATUS_KEYS}


DECIDING: dict[str, Callable[[Outcome], Any]] = {
    "exit": lambda run: run["exit"],
    "state": lambda run: run["state"],
    "changes": changes,
    "order": lambda run: list(dict.fromkeys(event["resource"] for event in events(run))),
    "statuses": statuses,
}
"""The levels on which two outcomes must agree."""

WORDING: dict[str, Callable[[Outcome], Any]] = {
    "evaluation": lambda run: run.get("order"),
    "messages": lambda run: [event["message"] for event in events(run)],
    "logs": lambda run: (run.get("report") or {}).get("logs"),
    "console": lambda run: {"stdout": run["stdout"], "stderr": run["stderr"]},
}
"""Levels on which programs may differ."""


def compare(expected: Outcome, actual: Outcome) -> dict[str, list[str]]:
    """Return the differences of two outcomes by level."""
    pairs = list(enumerate(zip(expected["runs"], actual["runs"], strict=True), 1))
    return {
        level: [
            line
            for number, (left, right) in pairs
            for line in walk(view(left), view(right), f"run {number}")
        ]
        for level, view in (DECIDING | WORDING).items()
    }


def walk(left: Any, right: Any, where: str) -> list[str]:
    """Return a line for each difference of two values."""
    if left == right:
        return []
    if isinstance(left, dict) and isinstance(right, dict):
        keys = sorted(left.keys() | right.keys())
        return [
            line for key in keys for line in walk(left.get(key), right.get(key), f"{where} {key}")
        ]
    if isinstance(left, list) and isinstance(right, list):
        lines = [f"{where}: missing  {short(item)}" for item in left if item not in right]
        lines += [f"{where}: too much {short(item)}" for item in right if item not in left]
        if lines:
            return lines
        return [f"{where}: other order or number: {short(left)}, here {short(right)}"]
    return [f"{where}: {short(left)}, here {short(right)}"]


def short(item: Any, limit: int = 400) -> str:
    """Return a value as one line."""
    text = item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
    return text if len(text) <= limit else text[:limit] + "…"
