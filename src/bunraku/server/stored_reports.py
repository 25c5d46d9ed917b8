"""A report of an agent as ``store report`` of PuppetDB has it, version 8."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from bunraku.puppetdb.timestamps import to_milliseconds, to_text

Data: TypeAlias = "Mapping[str, Any]"
LOG_KEYS = ("file", "line", "level", "message", "source", "tags")
SAME = (
    "puppet_version",
    "report_format",
    "environment",
    "transaction_uuid",
    "status",
    "catalog_uuid",
    "code_id",
    "cached_catalog_status",
)
"""Keys that have the same name and value in both forms."""
LONGEST_RUN = 100 * 365 * 86400
"""Seconds; a longer run is a mistake of the agent."""
LAST = 253_402_300_799_999
"""The last millisecond of the year 9999."""


def stored_report(report: Data, node: str, producer: str, timestamp: str) -> dict[str, Any]:
    """Return the payload of the command that stores a report."""
    start = to_milliseconds(report.get("time")) or 0
    version = report.get("configuration_version")
    found: dict[str, Any] = {name: report.get(name) for name in SAME}
    return {
        **found,
        "certname": node,
        "producer": producer,
        "producer_timestamp": timestamp,
        "configuration_version": "" if version is None else str(version),
        "start_time": to_text(start),
        "end_time": to_text(min(start + int(total_seconds(report) * 1000), LAST)),
        "job_id": report.get("job_id"),
        "noop": bool(report.get("noop")),
        "noop_pending": bool(report.get("noop_pending")),
        "corrective_change": bool(report.get("corrective_change")),
        "logs": [log_line(entry) for entry in report["logs"]],
        "metrics": list(metrics(report["metrics"])),
        "resources": list(resources(report["resource_statuses"])),
    }


def total_seconds(report: Data) -> float:
    """Return how long a run took, as its metrics say."""
    for name, _label, value in report["metrics"].get("time", {"values": ()})["values"]:
        if name == "total" and isinstance(value, int | float) and 0 <= value < LONGEST_RUN:
            return float(value)
    return 0.0


def log_line(entry: Data) -> dict[str, Any]:
    """Return a message of a report."""
    return {**{name: entry.get(name) for name in LOG_KEYS}, "time": entry.get("time")}


def metrics(groups: Data) -> Iterator[dict[str, Any]]:
    """Yield the metrics in the groups of a report."""
    for category, group in groups.items():
        for name, _label, value in group["values"]:
            yield {"category": category, "name": name, "value": value}


def resources(statuses: Data) -> Iterator[dict[str, Any]]:
    """Yield the resources that have events or were skipped."""
    for status in statuses.values():
        if status.get("events") or status.get("skipped"):
            yield {
                "skipped": bool(status.get("skipped")),
                "timestamp": status.get("time"),
                "resource_type": status.get("resource_type"),
                "resource_title": str(status.get("title")),
                "file": status.get("file"),
                "line": status.get("line"),
                "containment_path": status.get("containment_path"),
                "corrective_change": bool(status.get("corrective_change")),
                "events": [event(one) for one in status.get("events") or ()],
            }


def event(data: Data) -> dict[str, Any]:
    """Return an event of a resource."""
    return {
        "status": data.get("status"),
        "timestamp": data.get("time"),
        "name": data.get("name"),
        "property": data.get("property"),
        "new_value": as_text(data.get("desired_value")),
        "old_value": as_text(data.get("previous_value")),
        "message": data.get("message"),
        "corrective_change": bool(data.get("corrective_change")),
    }


def as_text(value: Any) -> str | None:
    """Return a value of an event as text."""
    if value is None or isinstance(value, str):
        return value
    return str(value).lower() if isinstance(value, bool) else str(value)
