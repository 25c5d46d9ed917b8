"""The values at the end of earlier runs: a change back to one of them is *corrective*."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.apply.event_values import reported
from bunraku.apply.events import Event
from bunraku.formats.failure import FormatError
from bunraku.formats.yaml import load_plain
from bunraku.formats.yaml_writer import ruby_yaml_text
from bunraku.providers.attributes import Property
from bunraku.providers.managed_resource import ManagedResource

Value = Any
Values = dict[str, dict[str, list[Value]]]
"""Resource → property → the accepted states."""


class SystemValues:
    """Decides which changes are corrective: the property was changed, but not by a run.

    ``known`` has the values of the last run; ``fresh`` collects those of this one. Secret properties
    are excluded. Without ``enabled``, no change is corrective and nothing is collected, as with
    ``puppet apply``.
    """

    def __init__(self, known: Mapping[str, Mapping[str, list[Value]]], *, enabled: bool) -> None:
        self.known = known
        self.enabled = enabled
        self.fresh: Values = {}

    def of(self, resource: ManagedResource, name: str) -> list[Value] | None:
        """Return the accepted states of a property in the last run, None if there were none."""
        return self.known.get(resource.reference, {}).get(name)

    def is_corrective(self, resource: ManagedResource, attribute: Property, current: Value) -> bool:
        """Return whether a property was changed since the last run, but not by a run."""
        if not self.enabled or not attribute.idempotent or attribute.name in resource.sensitive:
            return False
        right = self.of(resource, attribute.name)
        if right is None:
            return False
        wanted = resource.values[attribute.name]
        resource.values[attribute.name] = right
        try:
            return not attribute.in_sync(resource, current)
        finally:
            resource.values[attribute.name] = wanted

    def keep(self, resource: ManagedResource, events: Sequence[Event]) -> None:
        """Collect the current values of a resource; after a failed change, keep the old ones."""
        if not self.enabled:
            return
        by_property = {event.property: event for event in events}
        for attribute in resource.properties():
            name = attribute.name
            if name in resource.sensitive:
                continue
            event = by_property.get(name)
            value = resource.accepted(name)
            if event is not None and event.status != "success":
                previous = event.previous
                before = previous if isinstance(previous, list) else [previous]
                value = self.of(resource, name) or before
            value = resource.run.secrets.hidden_in(value)
            self.fresh.setdefault(resource.reference, {})[name] = value

    def keep_old(self, resource: ManagedResource) -> None:
        """Keep the values of a resource that this run skips."""
        old = self.known.get(resource.reference)
        if self.enabled and old is not None:
            self.fresh[resource.reference] = dict(old)


def read_values(content: bytes) -> Values:
    """Read Puppet's ``transactionstore.yaml``; raise FormatError for other content."""
    data = load_plain(content)
    try:
        return {
            str(reference): {
                str(name): as_list(kept["system_value"])
                for name, kept in entry.get("parameters", {}).items()
            }
            for reference, entry in ((data or {}).get("resources") or {}).items()
        }
    except (AttributeError, KeyError, TypeError):
        raise FormatError("it does not have the shape of a transaction store") from None


def as_list(value: Value) -> list[Value]:
    """Return the states of a property as a list."""
    return value if isinstance(value, list) else [value]


def values_text(values: Values) -> str:
    """Return values in the format of Puppet's ``transactionstore.yaml``.

    >>> print(values_text({"File[/a]": {"mode": ["0644"]}}), end="")
    ---
    resources:
      File[/a]:
        parameters:
          mode:
            system_value:
            - '0644'
    """
    return ruby_yaml_text(
        {
            "resources": {
                reference: {
                    "parameters": {
                        name: {"system_value": reported(value)} for name, value in some.items()
                    }
                }
                for reference, some in values.items()
            }
        }
    )
