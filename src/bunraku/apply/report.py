"""The report of a run, in Puppet's format 12, and the summary of the last run."""

from __future__ import annotations

from collections import Counter
from typing import Any

from bunraku.apply.events import Event, Status
from bunraku.apply.log import Message
from bunraku.base.records import field, record

REPORT_FORMAT = 12
STATES = (
    "skipped", "failed", "failed_to_restart", "restarted", "changed", "out_of_sync", "scheduled",
    "corrective_change",
)  # fmt: skip
"""The states that are counted, in Puppet's order."""


@record(slots=False)
class Report:
    """What a run did. ``statuses`` are those of resources only, by reference."""

    host: str
    environment: str
    version: int | str
    time: float
    noop: bool
    statuses: dict[str, Status] = field(default_factory=dict)
    paths: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The containment of each resource, itself included."""
    logs: list[Message] = field(default_factory=list)
    times: dict[str, float] = field(default_factory=dict)
    """Seconds by subject, besides those of the resource types."""
    generation_failed: bool = False
    completed: bool = False

    # -- figures ---------------------------------------------------------------------------------

    @property
    def changes(self) -> int:
        """The number of changes that were made."""
        return sum(status.changes for status in self.statuses.values())

    def count(self, state: str) -> int:
        """Return the number of resources in a state."""
        name = "corrective" if state == "corrective_change" else state
        return sum(1 for status in self.statuses.values() if getattr(status, name))

    @property
    def failures(self) -> int:
        """The number of resources that failed, or failed to restart."""
        return self.count("failed") + self.count("failed_to_restart")

    @property
    def status(self) -> str:
        """``failed``, ``changed`` or ``unchanged``."""
        if self.generation_failed or not self.completed or self.failures:
            return "failed"
        return "changed" if self.changes else "unchanged"

    @property
    def noop_pending(self) -> bool:
        """Whether a resource would change without ``noop``."""
        return any(event.status == "noop" for event in self.events())

    def events(self) -> list[Event]:
        """Return all events, in order."""
        return [event for status in self.statuses.values() for event in status.events]

    def exit_code(self) -> int:
        """Return the code of ``--detailed-exitcodes``: 2 for changes, 4 for failures, 6 for both."""
        return (2 if self.changes else 0) | (4 if self.failures else 0)

    def metrics(self) -> dict[str, dict[str, Any]]:
        """Return the figures by group."""
        resources = {"total": len(self.statuses)} | {state: self.count(state) for state in STATES}
        counted = Counter(event.status for event in self.events())
        events = {"total": counted.total(), "failure": 0, "success": 0} | counted
        times: dict[str, float] = {}
        for reference, status in self.statuses.items():
            kind = reference.partition("[")[0].lower()
            times[kind] = times.get(kind, 0.0) + (status.seconds or 0.0)
        times |= self.times
        times["total"] = sum(times.values())
        return {
            "resources": resources,
            "time": times,
            "changes": {"total": self.changes},
            "events": events,
        }


# -- as data -----------------------------------------------------------------------------------------


def report_data(report: Report) -> dict[str, Any]:
    """Return the report in Puppet's format 12."""
    return {
        "host": report.host,
        "time": report.time,
        "configuration_version": report.version,
        "report_format": REPORT_FORMAT,
        "status": report.status,
        "transaction_completed": report.completed,
        "noop": report.noop,
        "noop_pending": report.noop_pending,
        "environment": report.environment,
        "logs": [
            {"level": log.level, "message": log.text, "source": log.source, "tags": list(log.tags)}
            for log in report.logs
        ],
        "metrics": {
            group: {"name": group, "values": [[name, name, value] for name, value in some.items()]}
            for group, some in report.metrics().items()
        },
        "resource_statuses": {
            reference: status_data(reference, status, report)
            for reference, status in report.statuses.items()
        },
        "corrective_change": report.count("corrective_change") > 0,
    }


def status_data(reference: str, status: Status, report: Report) -> dict[str, Any]:
    """Return the status of a resource as data."""
    return {
        "resource": reference,
        "containment_path": list(report.paths[reference]),
        "evaluation_time": status.seconds,
        "failed": status.failed,
        "failed_to_restart": status.failed_to_restart,
        "skipped": status.skipped,
        "changed": status.changed,
        "out_of_sync": status.out_of_sync,
        "scheduled": status.scheduled,
        "corrective_change": status.corrective,
        "change_count": status.changes,
        "out_of_sync_count": status.differences,
        "events": [event_data(event) for event in status.events],
    }


def event_data(event: Event) -> dict[str, Any]:
    """Return an event as data."""
    return {
        "audited": event.audited,
        "property": event.property,
        "previous_value": event.previous,
        "desired_value": event.desired,
        "historical_value": event.historical,
        "message": event.message,
        "name": event.name,
        "status": event.status,
        "redacted": event.redacted or None,
        "corrective_change": event.corrective,
    }
