"""The report of a run: the outcome of each resource, the messages and the metrics."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any

from bunraku.apply.events import Event, Status
from bunraku.apply.log import Message
from bunraku.base.records import field, record
from bunraku.catalog.catalog import Catalog
from bunraku.providers.managed_resource import ManagedResource
from bunraku.world.host import Command, CommandTimeout, Host

STATES = (
    "skipped", "failed", "failed_to_restart", "restarted", "changed", "out_of_sync", "scheduled",
    "corrective_change",
)  # fmt: skip
"""The counted states, in Puppet's order."""


@record(slots=False)
class Report:
    """The results of a run. ``statuses`` has only the statuses of resources, by reference.

    ``puppet_version`` is the emulated version of Puppet; ``transaction`` is the identifier of the
    run.
    """

    host: str
    environment: str
    version: int | str | None
    time: float
    noop: bool
    puppet_version: str = ""
    transaction: str = ""
    catalog_uuid: str | None = None
    statuses: dict[str, Status] = field(default_factory=dict)
    resources: dict[str, ManagedResource] = field(default_factory=dict)
    """The resources of the statuses, including generated ones."""
    logs: list[Message] = field(default_factory=list)
    times: dict[str, float] = field(default_factory=dict)
    """Seconds by subject, without those of the resource types."""
    refreshes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The resources that were refreshed, or would be, with the notifiers of each."""
    generation_failed: bool = False
    completed: bool = False
    code_id: str | None = None
    cached: str = "not_used"
    """Why the catalog is not a new one: ``on_failure`` or ``explicitly_requested``."""
    mode: str = "user"
    """``agent`` for the run of an agent."""
    initial_environment: str | None = None
    """The environment with which the run began, if the server chose another."""
    server_used: str | None = None
    """The server that was chosen from the setting ``server_list``, with its port."""
    job: str | None = None
    """The identifier of the job that started the run."""
    afterwards: list[Command] = field(default_factory=list)
    """The commands to start when the report is sent and stored."""

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
        """The number of resources that failed or failed to restart."""
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

    def start_commands(self, host: Host) -> None:
        """Start the commands that were left for the end of the run; none of them can fail it."""
        while self.afterwards:
            with suppress(OSError, CommandTimeout):
                host.execute(self.afterwards.pop())

    def metrics(self) -> dict[str, dict[str, Any]]:
        """Return the metrics by group."""
        resources = {"total": len(self.statuses)} | {state: self.count(state) for state in STATES}
        counted = Counter(event.status for event in self.events())
        events = {"total": counted.total(), "failure": 0, "success": 0} | counted
        times: dict[str, float] = {}
        for reference, status in self.statuses.items():
            if status.seconds is not None:
                kind = reference.partition("[")[0].lower()
                times[kind] = times.get(kind, 0.0) + status.seconds
        return {
            "resources": resources,
            "time": times | self.times,
            "changes": {"total": self.changes},
            "events": events,
        }


def managed_references(catalog: Catalog, report: Report) -> list[str]:
    """Return the references of the resources of a catalog with a wanted state, in order."""
    references = (resource.reference for resource in catalog.resources)
    return [name for name in references if name in report.statuses and is_managed(report, name)]


def is_managed(report: Report, reference: str) -> bool:
    """Return whether a resource has a wanted value of a property."""
    resource = report.resources[reference]
    return any(attribute.name in resource.values for attribute in resource.properties())
