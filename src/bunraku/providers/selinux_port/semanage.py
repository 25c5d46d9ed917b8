"""Types of ports: read by the library of semanage, changed by the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.selinux import PythonSemanage, is_purged, source_of
from bunraku.types.ruby_semantics.values import to_s

PLACE = ("low_port", "high_port", "protocol")
"""The properties that locate a record."""


class Ports(PythonSemanage):
    """Finds a resource by its title, which must have the protocol and the range."""

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the ports; local records win over those of the policy."""
        found: dict[str, State] = {}
        for name, (context, low, high, protocol) in self.records("port_list", "port_list_local"):
            found[f"{protocol}_{low}-{high}"] = {
                "ensure": "present",
                "seltype": context.split(":")[2],
                "low_port": low,
                "high_port": high,
                "protocol": protocol,
                "source": source_of(name),
            }
        return found

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read all ports; those of the policy are never removed."""
        super().prefetch(resources)
        by_place = {tuple(resource[name] for name in PLACE): resource for resource in resources}
        named = {resource.name: resource for resource in resources}
        for name, state in (self.states or {}).items():
            place = tuple(state[part] for part in PLACE)
            resource = named.get(name)
            if resource is None and place in by_place:
                raise other_title(by_place[place].name, name)
            if resource is not None:
                check_title(resource, place)
                if state["source"] == "policy":
                    resource.values["ensure"] = ["present"]

    def create(self, resource: ManagedResource) -> None:
        """Give a type to ports."""
        words = ("-t", resource["seltype"], "-p", resource["protocol"])
        self.semanage("port", "-a", *words, span(resource["low_port"], resource["high_port"]))

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the local record of ports."""
        self.semanage("port", "-d", *self.place(resource))

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change the type of ports."""
        if name == "seltype":
            self.semanage("port", "-m", "-t", value, *self.place(resource))

    def place(self, resource: ManagedResource) -> tuple[str, str, str]:
        """Return the words that locate an existing record."""
        found = self.state(resource)
        return "-p", found["protocol"], span(found["low_port"], found["high_port"])


def span(low: Any, high: Any) -> str:
    """Return a range of ports.

    >>> span(80, 80), span("8000", "8010")
    ('80', '8000-8010')
    """
    return f"{low}" if low == high else f"{low}-{high}"


def check_title(resource: ManagedResource, place: tuple[str, ...]) -> None:
    """Raise ResourceFailure if a resource has the title of a record of other ports."""
    wanted = tuple(to_s(resource[name]) for name in PLACE)
    if wanted != place and not is_purged(resource):
        text = "title does not match its port and protocol, and a conflicting resource exists"
        raise ResourceFailure(f"Selinux_port['{resource.name}']': {text}")


def other_title(title: str, name: str) -> ResourceFailure:
    """Return the failure of a resource whose ports have a type, while its title does not say them."""
    text = "title does not match format protocol_port"
    return ResourceFailure(f"Selinux_port['{title}']: {text}; it must be '{name}'")


provider = Ports
