"""The planned changes of a run: the result of a run with ``noop`` as an ordered list of steps."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

from bunraku.apply.event_values import reported
from bunraku.apply.events import Event
from bunraku.apply.obstacles import Provided, obstacle
from bunraku.apply.plan_start import FORMAT
from bunraku.apply.report import Report
from bunraku.base.records import record
from bunraku.providers.attributes import ABSENT
from bunraku.providers.managed_resource import ManagedResource

FORMAT_VERSION = 1
Data = dict[str, Any]
Action = Literal["create", "change", "remove", "refresh", "fail"]
ACTIONS: tuple[Action, ...] = ("create", "change", "remove", "refresh", "fail")
GONE = frozenset({None, ABSENT, "purged"})
"""States in which a resource does not exist."""


@record(frozen=True)
class Difference:
    """A property that would change. Secret values are redacted.

    ``message`` is the reason as Puppet logs it; ``diff`` has the lines that change in a file.
    """

    name: str | None
    before: Any
    after: Any
    message: str
    diff: str | None = None


@record(frozen=True)
class Step:
    """A resource that would change, be refreshed or fail; ``refreshed_by`` lists its notifiers."""

    resource: str
    action: Action
    differences: tuple[Difference, ...]
    refreshed_by: tuple[str, ...] = ()
    file: str | None = None
    line: int | None = None


@record(frozen=True)
class Plan:
    """The steps of a run in their order."""

    node: str
    environment: str
    steps: tuple[Step, ...]
    by_puppet: tuple[str, ...] = ()
    """The resources that an installed Puppet manages."""

    def counts(self) -> dict[Action, int]:
        """Return the number of steps of each kind."""
        counted = Counter(step.action for step in self.steps)
        return {action: counted[action] for action in ACTIONS}

    def exit_code(self) -> int:
        """Return 0 for no changes, 2 for changes, 1 if a resource would fail."""
        if any(step.action == "fail" for step in self.steps):
            return 1
        return 2 if self.steps else 0


def plan_of(report: Report) -> Plan:
    """Return the plan that follows from the report of a run with ``noop``."""
    steps = []
    provided: Provided | None = None
    for reference, status in report.statuses.items():
        resource = report.resources[reference]
        provided = provided or Provided(resource.run.host)
        events = [event for event in status.events if event.status in ("noop", "failure")]
        notifiers = report.refreshes.get(reference, ())
        if events or notifiers:
            differences = tuple(difference_of(event, report) for event in events)
            action = action_of(events)
            missing = obstacle(resource, action, provided)
            if missing is not None:
                steps.append(failed_step(resource, missing))
                continue
            provided.add(resource, action)
            place = (resource.file, resource.line)
            steps.append(Step(reference, action, differences, notifiers, *place))
        elif status.failed:
            steps.append(failed_step(resource))
    by_puppet = (name for name, one in report.resources.items() if not one.type.is_native)
    return Plan(report.host, report.environment, tuple(steps), tuple(by_puppet))


def failed_step(resource: ManagedResource, message: str = "no suitable provider") -> Step:
    """Return the step of a resource that cannot be managed, or changed, on this machine."""
    reason = Difference(None, None, None, message)
    return Step(resource.reference, "fail", (reason,), (), resource.file, resource.line)


def action_of(events: list[Event]) -> Action:
    """Return the action that the events of a resource stand for."""
    if not events:
        return "refresh"
    if any(event.status == "failure" for event in events):
        return "fail"
    for event in events:
        if event.property == "ensure":
            if event.desired in GONE:
                return "remove"
            if event.previous in GONE:
                return "create"
    return "change"


def difference_of(event: Event, report: Report) -> Difference:
    """Return the difference that an event reports, with the diff logged before it."""
    diffs = (log.text for log in report.logs if log.source == event.source)
    diff = next((text.strip("\n") for text in diffs if text.startswith("\n")), None)
    return Difference(event.property, event.previous, event.desired, event.message, diff)


# -- as data ---------------------------------------------------------------------------------------


def plan_data(plan: Plan) -> Data:
    """Return a plan as JSON data; it contains no secrets."""
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "node": plan.node,
        "environment": plan.environment,
        "summary": plan.counts(),
        "by_puppet": list(plan.by_puppet),
        "steps": [step_data(step) for step in plan.steps],
    }


def step_data(step: Step) -> Data:
    """Return a step as JSON data."""
    return {
        "resource": step.resource,
        "action": step.action,
        "file": step.file,
        "line": step.line,
        "changes": [
            {
                "property": one.name,
                "before": reported(one.before),
                "after": reported(one.after),
                "message": one.message,
                "diff": one.diff,
            }
            for one in step.differences
        ],
        "refreshed_by": list(step.refreshed_by),
    }


def essence(steps: list[Data]) -> dict[str, Data]:
    """Return the data, by resource, that decides whether two plans are the same."""
    return {
        step["resource"]: {
            "action": step["action"],
            "changes": [
                {name: value for name, value in change.items() if name != "diff"}
                for change in step["changes"]
            ],
            "refreshed_by": step["refreshed_by"],
        }
        for step in steps
    }
