"""Events and the status of each resource: the changes of a run as they are reported."""

from __future__ import annotations

from typing import Any, Literal

from bunraku.base.records import field, record
from bunraku.providers.secrets import Secrets

EventStatus = Literal["success", "failure", "noop", "audit"]


@record(slots=False)
class Event:
    """A change, an attempted change or an observation.

    ``drops_refresh`` says that a refresh of the resource in the same run is superfluous. ``time`` is
    in seconds since the epoch.
    """

    resource: str
    source: str
    name: str
    status: EventStatus
    message: str = ""
    property: str | None = None
    previous: Any = None
    desired: Any = None
    historical: Any = None
    audited: bool = False
    redacted: bool | None = False
    """Whether the values are secret; None for events without a property, as in Puppet's reports."""
    corrective: bool = False
    drops_refresh: bool = False
    time: float = 0.0

    def hide(self, secrets: Secrets) -> None:
        """Remove secrets that other resources have, or that a reason shows."""
        self.message = secrets.hidden(self.message)
        self.previous = secrets.hidden_in(self.previous)
        self.desired = secrets.hidden_in(self.desired)
        self.historical = secrets.hidden_in(self.historical)


@record(slots=False)
class Status:
    """The outcome of a resource in a run."""

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
    """The number of events other than audits."""
    seconds: float | None = None
    failed_dependencies: tuple[Any, ...] = ()
    """The failed vertices that come before this one."""

    @property
    def is_unchanged(self) -> bool:
        """Whether nothing happened that a report must have."""
        return not (self.failed or self.failed_to_restart or self.out_of_sync or self.skipped)

    def add(self, event: Event) -> None:
        """Add and count an event."""
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
