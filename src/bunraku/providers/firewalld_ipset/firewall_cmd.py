"""Sets of addresses of firewalld."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.firewalld import FirewallCommand
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.types.ruby_semantics.values import to_s

Value = Any
OPTIONS = ("family", "hashsize", "maxelem", "timeout")
"""The properties that a set gets only when it is created."""


class Sets(FirewallCommand):
    """Reads and changes sets of addresses."""

    # -- reading ---------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all sets; ResourceFailure if the programs are not installed."""
        return {name: self.described(name) for name in self.output("--get-ipsets").split()}

    def described(self, name: str) -> State:
        """Return the state of a set without its entries."""
        options = re.search("options: (.*)", self.output(f"--info-ipset={name}"))
        words = [] if options is None else options[1].split()
        pairs = (word.split("=") for word in words if "=" in word)
        return {"ensure": "present", **{pair[0]: pair[1] for pair in pairs if pair[0] in OPTIONS}}

    def get(self, resource: ManagedResource, name: str) -> Value:
        """Return the state of a property; the entries are read when they are needed."""
        return self.entries(resource) if name == "entries" else super().get(resource, name)

    def entries(self, resource: ManagedResource) -> Value:
        """Return the entries of a set."""
        if not resource.is_true("manage_entries"):
            return resource["entries"]
        return sorted(self.output(f"--ipset={resource.name}", "--get-entries").splitlines())

    # -- changing --------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Create a set with its entries."""
        pairs = [(name, resource[name]) for name in OPTIONS]
        pairs += (resource["options"] or {}).items()
        self.change(
            f"--new-ipset={resource.name}",
            f"--type={to_s(resource['type'])}",
            *(
                f"--option={name}={to_s(value)}"
                for name, value in pairs
                if value is not None and value is not False
            ),
        )
        if resource.is_true("manage_entries"):
            if resource["entries"] is None:
                raise ResourceFailure("undefined method `each' for nil:NilClass")
            self.change_entries(resource, "add", resource["entries"])

    def destroy(self, resource: ManagedResource) -> None:
        """Delete a set."""
        self.change(f"--delete-ipset={resource.name}")

    def set(self, resource: ManagedResource, name: str, value: Value) -> None:
        """Change the entries; for another option, create the set again."""
        if name == "entries":
            current = self.entries(resource)
            self.change_entries(resource, "remove", [one for one in current if one not in value])
            self.change_entries(resource, "add", [one for one in value if one not in current])
            return
        source = f"{resource.reference}(provider={self.name})"
        text = f"Destroying and creating ipset {resource.name}"
        self.run.log("info", text, source, tags=resource.tags)
        self.destroy(resource)
        self.create(resource)

    def change_entries(self, resource: ManagedResource, verb: str, entries: list[str]) -> None:
        """Add or remove entries."""
        for entry in entries:
            self.change(f"--ipset={resource.name}", f"--{verb}-entry={entry}")


provider = Sets
