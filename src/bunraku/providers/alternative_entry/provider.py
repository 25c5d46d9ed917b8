"""What the providers of ``alternative_entry`` have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.types.ruby_semantics.values import to_s


class EntryProvider(Provider, ABC):
    """Installs and removes entries; the entries of an alternative are read once, and after each change."""

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.entries: dict[str, list[State]] = {}
        """The entries by the name of their alternative."""
        self.read_at = -1

    @property
    def program(self) -> str:
        """The path of the program."""
        name = self.programs[0]
        return self.host.find_program(name) or name

    @abstractmethod
    def names(self) -> Sequence[str]:
        """Return the names of all alternatives."""

    @abstractmethod
    def query(self, name: str) -> Iterator[State]:
        """Yield the entries of an alternative, none if it does not exist."""

    # -- reading ---------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all entries by the paths of their programs."""
        entries = (entry for name in self.names() for entry in self.query(name))
        return {entry["name"]: entry for entry in entries}

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: a package that is installed in the run may add entries."""

    def take(self, resource: ManagedResource, state: State) -> None:
        """Let the alternative of a listed entry be that of a resource."""
        resource.values.setdefault("altname", [state["altname"]])
        resource.values.setdefault("altlink", state["altlink"])

    def known(self, name: str) -> list[State]:
        """Return the entries of an alternative."""
        if self.read_at != self.run.changes:
            self.entries.clear()
            self.read_at = self.run.changes
        if name not in self.entries:
            self.entries[name] = list(self.query(name))
        return self.entries[name]

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the alternative has the program, for any link."""
        entries = self.known(to_s(resource["altname"]))
        return any(entry["name"] == resource["name"] for entry in entries)

    def state(self, resource: ManagedResource) -> State:
        """Return the state of an entry; empty if the link is another one."""
        for entry in self.known(to_s(resource["altname"])):
            if entry["name"] == resource["name"] and entry["altlink"] == resource["altlink"]:
                return entry
        return {}

    # -- changing --------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Install the entry."""
        words = [resource[name] for name in ("altlink", "altname", "name", "priority")]
        self.execute(self.program, "--install", *("" if one is None else one for one in words))

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the entry."""
        name = "" if resource["altname"] is None else resource["altname"]
        self.execute(self.program, "--remove", name, resource["name"])

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Install the entry again with other properties; the link of an entry is never changed."""
        if name != "altlink_ro":
            self.destroy(resource)
            self.create(resource)
