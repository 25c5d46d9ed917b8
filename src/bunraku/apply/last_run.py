"""The report of the last run as text: changes, failures and the slowest resources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SLOWEST = 5
"""The number of resources listed as the slowest ones."""


def last_run_text(report: Mapping[str, Any]) -> str:
    """Return a report in Puppet's format 12 as text; raise KeyError or TypeError for other data.

    >>> statuses = {"File[/a]": {"evaluation_time": 0.5, "events": [], "skipped": True}}
    >>> metrics = {"time": {"values": [["total", "Total", 1.5]]}}
    >>> report = {"host": "web01", "time": "2026-01-01", "status": "unchanged"}
    >>> print(last_run_text(report | {"metrics": metrics, "resource_statuses": statuses}), end="")
    Run of web01 at 2026-01-01: unchanged (1.50 seconds)
    <BLANKLINE>
    Skipped:
      File[/a]
    <BLANKLINE>
    Slowest:
        0.50 s  File[/a]
    """
    times = {name: value for name, _label, value in report["metrics"]["time"]["values"]}
    head = f"Run of {report['host']} at {report['time']}: {report['status']}"
    lines = [f"{head} ({times.get('total', 0.0):.2f} seconds)"]
    statuses: Mapping[str, Mapping[str, Any]] = report["resource_statuses"] or {}
    events = [
        (event["status"], f"{reference}: {event['message']}")
        for reference, status in statuses.items()
        for event in status["events"]
    ]
    for title, kind in (("Changed", "success"), ("Pending", "noop"), ("Failed", "failure")):
        lines += section(title, [text for status, text in events if status == kind])
    lines += section("Skipped", [name for name, status in statuses.items() if status["skipped"]])
    slow = [(status["evaluation_time"] or 0.0, name) for name, status in statuses.items()]
    slow.sort(key=lambda one: one[0], reverse=True)
    lines += section("Slowest", [f"{seconds:6.2f} s  {name}" for seconds, name in slow[:SLOWEST]])
    return "\n".join(lines) + "\n"


def section(title: str, lines: list[str]) -> list[str]:
    """Return lines under a title; without lines, the title is omitted, too."""
    return ["", f"{title}:", *(f"  {line}" for line in lines)] if lines else []
