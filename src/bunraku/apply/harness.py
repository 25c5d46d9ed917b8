"""Apply one resource: read its state, compare it, change it, and report the result."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from bunraku.apply.events import Event, EventStatus, Status
from bunraku.apply.state import TIMES, State
from bunraku.apply.system_values import SystemValues
from bunraku.base.errors import PuppetError
from bunraku.providers.attributes import ABSENT, Property, without_encoding
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.installed_puppet import InstalledType
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.secrets import REDACTED
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.world.host import CommandTimeout

Value = Any
FAILURES = (ResourceFailure, OSError, CommandTimeout, PuppetError, UnicodeError)
"""The errors that fail only the resource that raises them; the run continues.

A text that cannot be encoded, such as half of a pair of surrogates in JSON, is one.
"""


def reason_of(error: BaseException) -> str:
    """Return the reason of a failure, in Puppet's words for errors of the operating system."""
    if isinstance(error, OSError) and error.strerror is not None:
        return f"{error.strerror} - {error.filename}" if error.filename else error.strerror
    if isinstance(error, PuppetError):
        return error.message
    return str(error)


class Harness:
    """Applies resources one by one. ``state`` and ``values`` come from earlier runs."""

    def __init__(self, state: State, values: SystemValues) -> None:
        self.state = state
        self.values = values

    def apply(self, resource: ManagedResource, broken: Exception | None = None) -> Status:
        """Apply a resource and return its status, which includes failures.

        ``broken`` is the reason why its values are not known.
        """
        host = resource.run.host
        status, begin = Status(resource.reference, host.now()), host.monotonic()
        try:
            if broken is not None:
                raise broken
            if (reason := resource.unusable()) is not None:
                raise ResourceFailure(reason)
            remembered = self.state.of(resource.reference)
            if isinstance(resource.type, InstalledType):
                self.apply_installed(resource.type, resource, status)
            else:
                Application(resource, status, remembered, self.values).perform()
            if status.changed and not resource.noop:
                self.state.of(resource.reference)["synced"] = host.now()
                resource.type.flush(resource)
        except FAILURES as error:
            fail(resource, status, reason_of(error))
        status.seconds = host.monotonic() - begin
        return status

    def apply_installed(
        self, kind: InstalledType, resource: ManagedResource, status: Status
    ) -> None:
        """Let an installed Puppet apply a resource."""
        remembered = self.state.of(resource.reference)
        remembered["checked"] = resource.run.host.now()
        audited = {name: value for name, value in remembered.items() if name not in TIMES}
        resource.run.changes += not resource.noop
        outcome = kind.apply(resource, audited, self.values.known.get(resource.reference, {}))
        remembered.update(outcome.audited)
        for data in outcome.events:
            status.add(event_of(data, resource))
        if outcome.failed and not status.failed:
            add_failure(resource, status, "the installed Puppet could not apply the resource")
        if self.values.enabled:
            values = resource.run.secrets.hidden_in(dict(outcome.values))
            self.values.fresh[resource.reference] = values


def event_of(data: Mapping[str, Value], resource: ManagedResource) -> Event:
    """Return an event of an installed Puppet."""
    name = data["property"]
    return Event(
        resource.reference,
        f"{resource.path}/{name}" if name else resource.path,
        data["name"],
        data["status"],
        resource.hidden(data["message"]),
        property=name,
        previous=data["previous"],
        desired=data["desired"],
        historical=data["historical"],
        audited=data["audited"],
        redacted=data["redacted"] if name else None,
        corrective=data["corrective"],
        drops_refresh=data["drops_refresh"],
        time=resource.run.host.now(),
    )


def fail(resource: ManagedResource, status: Status, reason: str) -> None:
    """Log that a resource could not be evaluated, and add the event."""
    reason = resource.hidden(reason)
    resource.log("err", f"Could not evaluate: {reason}")
    add_failure(resource, status, reason)


def add_failure(resource: ManagedResource, status: Status, message: str) -> None:
    """Add an event for a failure of the resource as a whole."""
    now = resource.run.host.now()
    status.add(
        Event(resource.reference, resource.path, "resource_error", "failure", message, time=now)
    )


class Application:
    """One resource while it is applied."""

    def __init__(
        self,
        resource: ManagedResource,
        status: Status,
        remembered: dict[str, Value],
        values: SystemValues,
    ) -> None:
        self.resource = resource
        self.values = values
        self.status = status
        self.remembered = remembered
        self.historical: Mapping[str, Value] = dict(remembered)
        self.current = resource.type.retrieve(resource)
        self.synced: set[str] = set()

    def perform(self) -> None:
        """Bring ``ensure`` or all other properties to their wanted states."""
        resource = self.resource
        self.remembered["checked"] = resource.run.host.now()
        for name in resource.audit:
            self.remembered[name] = self.observed(name)
        managed = [one for one in resource.properties() if one.name in resource]
        ensure = next((one for one in managed if one.name == "ensure"), None)
        if ensure is None or not self.sync(ensure):
            if resource.type.present(self.current):
                for attribute in managed:
                    self.sync(attribute)
            else:
                text = "Nothing to manage: no ensure and the resource doesn't exist"
                resource.log("debug", text)
        self.audit()
        self.values.keep(resource, self.status.events)

    def sync(self, attribute: Property) -> bool:
        """Change a property that is out of sync; return whether it was."""
        resource, name = self.resource, attribute.name
        current = self.current.get(name)
        wanted = attribute.wanted(resource, current)
        if wanted is None or name in self.synced:
            return False
        event: Event | None = None
        try:
            if attribute.in_sync(resource, current):
                return False
            wanted = attribute.wanted(
                resource, current
            )  # comparing may have replaced names by numbers
            event = self.event(attribute, current, wanted)
            if resource.noop:
                shown = attribute.shown_wanted(resource, wanted)
                before = self.secret(name, attribute.shown(resource, current))
                text = f"current_value {before}, should be {self.secret(name, shown)} (noop)"
                event.status, event.message = "noop", text + self.audited_text(attribute)
            else:
                resource.run.changes += 1
                attribute.change(resource, wanted)
                event.status = "success"
                event.message = self.described(attribute, current, wanted)
        except FAILURES as error:
            event = event or self.event(attribute, current, wanted)
            self.failed(event, attribute, current, wanted, reason_of(error))
        self.synced.add(name)
        if self.values.is_corrective(resource, attribute, current):
            event.corrective = True
            event.message += " (corrective)"
        self.status.add(event)
        self.log(event)
        return True

    def failed(
        self, event: Event, attribute: Property, current: Value, wanted: Value, reason: str
    ) -> None:
        """Record a failed change; its reason is logged first, as in Puppet."""
        resource, name = self.resource, attribute.name
        reason = resource.hidden(reason)
        resource.run.log("err", reason)
        before = self.secret(name, attribute.shown(resource, current))
        shown = self.secret(name, attribute.shown_wanted(resource, wanted))
        event.status = "failure"
        event.message = f"change from {before} to {shown} failed: {reason}"

    def described(self, attribute: Property, current: Value, wanted: Value) -> str:
        """Return the message of a successful change."""
        if attribute.name in self.resource.sensitive:
            return f"changed {REDACTED} to {REDACTED}" + self.audited_text(attribute)
        text = attribute.described(self.resource, current, wanted)
        return text + self.audited_text(attribute)

    def event(
        self, attribute: Property, current: Value, wanted: Value, status: EventStatus = "success"
    ) -> Event:
        """Return the event of a property, without a message; secrets are redacted."""
        resource, name = self.resource, attribute.name
        secret = name in resource.sensitive
        historical = self.historical.get(name)
        return Event(
            resource.reference,
            f"{resource.path}/{name}",
            attribute.event_name(resource, wanted),
            status,
            property=name,
            previous=REDACTED if secret and current is not None else current,
            desired=REDACTED if secret and wanted is not None else wanted,
            historical=REDACTED if secret and historical is not None else historical,
            audited=name in resource.audit,
            redacted=secret or None,
            drops_refresh=attribute.drops_refresh(resource, wanted),
            time=resource.run.host.now(),
        )

    def secret(self, name: str, text: str) -> str:
        """Return a text about a property, or a placeholder if the property is secret."""
        return REDACTED if name in self.resource.sensitive else text

    def log(self, event: Event) -> None:
        """Log an event: failures as errors, all others at the level of the resource."""
        resource = self.resource
        level = "err" if event.status == "failure" else resource.level
        resource.run.log(
            level,
            event.message,
            event.source,
            tags=resource.tags,
            file=resource.file,
            line=resource.line,
        )

    # -- audits ----------------------------------------------------------------------------------

    def observed(self, name: str) -> Value:
        """Return the current state that the next run compares; of a secret only a digest is stored."""
        current = without_encoding(self.current.get(name))
        if name not in self.resource.sensitive or current in (None, ABSENT):
            return current
        return "{sha256}" + sha256(inspect(current).encode("utf-8", "surrogateescape")).hexdigest()

    def audited_text(self, attribute: Property) -> str:
        """Return the remark about a value that changed since the last run; empty if not audited."""
        name = attribute.name
        before = self.historical.get(name)
        if name not in self.resource.audit or not before or before == self.observed(name):
            return ""
        shown = self.secret(name, attribute.shown(self.resource, before))
        return f" (previously recorded value was {shown})"

    def audit(self) -> None:
        """Report audited properties that are new or changed since the last run."""
        resource = self.resource
        for name in resource.audit:
            attribute = resource.type.by_name.get(name)
            if not isinstance(attribute, Property):
                continue
            current = self.current.get(name)
            shown = self.secret(name, attribute.shown(resource, current))
            if name not in self.historical:
                value = self.secret(name, to_s(without_encoding(current)))
                resource.log("notice", f"audit change: newly-recorded value {value}", name)
            elif self.historical[name] != self.observed(name) and name not in self.synced:
                before = self.secret(name, attribute.shown(resource, self.historical[name]))
                event = self.event(attribute, current, resource[name], "audit")
                event.message = (
                    f"audit change: previously recorded value {before} has been changed to {shown}"
                )
                self.log(event)
                self.status.add(event)
