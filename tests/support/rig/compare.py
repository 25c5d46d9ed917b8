"""Comparing two captures, level by level."""

from __future__ import annotations

import json
from typing import Any

# What must agree, and what is only told: wording is a program's own.
LEVELS = ("exit", "state", "changes", "order", "statuses")
TOLD = ("evaluation", "messages", "console")
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


def view(run: dict[str, Any], level: str) -> Any:
    """One level of one run."""
    report = run.get("report") or {}
    events = [
        event
        for event in report.get("events", [])
        if event["status"] != "audit" or event.get("audited")
    ]
    if level == "exit":
        return run["exit"]
    if level == "state":
        return run["state"]
    if level == "changes":
        return sorted(
            json.dumps([event.get(key) for key in EVENT_KEYS], ensure_ascii=False)
            for event in events
        )
    if level == "order":
        return list(dict.fromkeys(event["resource"] for event in events))
    if level == "statuses":
        keys = (
            "status",
            "noop",
            "noop_pending",
            "corrective_change",
            "transaction_completed",
            "metrics",
            "statuses",
        )
        return {key: report.get(key) for key in keys}
    if level == "evaluation":
        return run.get("order")
    if level == "messages":
        return {"events": [event["message"] for event in events], "logs": report.get("logs")}
    return {"stdout": run["stdout"], "stderr": run["stderr"]}


def compare(expected: dict[str, Any], actual: dict[str, Any]) -> dict[str, list[str]]:
    """Differences by level; an empty list says that the level agrees."""
    found: dict[str, list[str]] = {}
    for level in LEVELS + TOLD:
        lines: list[str] = []
        for number, (left, right) in enumerate(
            zip(expected["runs"], actual["runs"], strict=True), 1
        ):
            walk(view(left, level), view(right, level), f"run {number}", lines)
        found[level] = lines
    return found


def walk(left: Any, right: Any, where: str, lines: list[str]) -> None:
    if left == right:
        return
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted(left.keys() | right.keys(), key=str):
            walk(left.get(key), right.get(key), f"{where} {key}", lines)
    elif isinstance(left, list) and isinstance(right, list):
        missing = [item for item in left if item not in right]
        extra = [item for item in right if item not in left]
        lines += [f"{where}: expected {short(item)}" for item in missing]
        lines += [f"{where}: got      {short(item)}" for item in extra]
        if not missing and not extra:
            lines.append(
                f"{where}: other order or number: expected {short(left)} got {short(right)}"
            )
    else:
        lines.append(f"{where}: expected {short(left)} got {short(right)}")


def short(item: Any, limit: int = 400) -> str:
    text = item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
    return text if len(text) <= limit else text[:limit] + "…"
