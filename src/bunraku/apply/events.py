"""Events and the status of each resource: what a run did, and what the report holds of it."""

from __future__ import annotations

from typing import Any, Literal

from bunraku.base.records import field, record

Outcome = Literal["success", "failure", "noop", "audit"]
REDACTED = "[redacted]"


@record(slots=False)
class Event:
    """One change, or an attempt at one, or an observation.

    ``drops_refresh`` says that a refresh of the resource in the same run is superfluous. ``time`` is
    in seconds since the epoch.
    """

    resource: str
    source: str
    name: str
    status: Outcome
    message: str = ""
    property: str | None = None
    previous: Any = None
    desired: Any = None
    historical: Any = None
    audited: bool = False
    redacted: bool | None = False
    """Whether the values are secret; None where a property is not, as Puppet's reports have it."""
    corrective: bool = False
    drops_refresh: bool = False
    time: float = 0.0


@record(slots=False)
class Status:
    """What became of a resource in a run."""

    reference: str
    time: float
    events: list[Event] = field(default_factory=list)
    failed: bool = False
    skipped: bool = False
    changed: bool = False
    out_of_sync: bool = False
    scheduled: bool = False
    restarted: bool = False
    failed_to_restart: bool = False
    corrective: bool = False
    changes: int = 0
    differences: int = 0
    """The events that are not mere audits."""
    seconds: float | None = None
    failed_dependencies: tuple[Any, ...] = ()
    """The vertices before this one that failed."""

    def add(self, event: Event) -> None:
        """Add an event, and count it."""
        self.events.append(event)
        if event.status == "failure":
            self.failed = True
        elif event.status == "success":
            self.changes += 1
            self.changed = True
        if event.status != "audit":
            self.differences += 1
            self.out_of_sync = True
        self.corrective = self.corrective or event.corrective
