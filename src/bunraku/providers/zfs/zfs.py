"""File systems of ZFS with the program ``zfs``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.providers.zfs.type import ABOUT
from bunraku.types.ruby_semantics.values import to_s

NOT_EVERYWHERE = frozenset(
    {"aclmode", "acltype", "defaultuserquota", "overlay", "relatime", "shareiscsi"}
)
"""The properties that some systems lack: a failure is not one of the resource."""
UNSET = "-"


class ZfsProvider(Provider):
    """Reads all properties of a file system at once."""

    name = "zfs"
    programs = ("zfs",)

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.read_at = -1
        """The number of changes in the run when the properties were read."""
        self.found: dict[str, State] = {}
        """The properties by file system."""

    @property
    def program(self) -> str:
        """The path of the program."""
        return self.host.find_program("zfs") or "zfs"

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: properties are read when they are compared."""

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all file systems."""
        lines = self.execute(self.program, "list", "-H").output.splitlines()
        return {line.split()[0]: {"ensure": "present"} for line in lines if line.strip()}

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the file system exists."""
        return self.attempt((self.program, "list", resource.name)).code == 0

    def get(self, resource: ManagedResource, name: str) -> str:
        """Return a property; the program is asked for one that it does not list."""
        if self.read_at != self.run.changes:
            self.found.clear()
            self.read_at = self.run.changes
        if resource.name not in self.found:
            self.found[resource.name] = self.properties(resource.name)
        listed = self.found[resource.name].get(name)
        return self.ask(resource.name, name) if listed is None else str(listed)

    def properties(self, dataset: str) -> State:
        """Return the properties that the program lists for a file system."""
        done = self.attempt((self.program, "get", "-H", "-o", "property,value", "all", dataset))
        rows = (line.split("\t", 1) for line in done.output.splitlines())
        return {row[0]: row[1].strip() for row in rows if row[1:]} if done.code == 0 else {}

    def ask(self, dataset: str, name: str) -> str:
        """Return one property of a file system."""
        try:
            return self.execute(
                self.program, "get", "-H", "-o", "value", name, dataset
            ).output.strip()
        except ResourceFailure:
            if name in NOT_EVERYWHERE:
                return UNSET
            raise

    def create(self, resource: ManagedResource) -> None:
        """Create the file system with its properties."""
        words: list[str] = []
        for name in ABOUT:
            value = resource[name]
            if value not in (None, False, ""):
                volume = name == "volsize"
                words += ["-V", to_s(value)] if volume else ["-o", f"{name}={to_s(value)}"]
        self.execute(self.program, "create", *words, resource.name)

    def destroy(self, resource: ManagedResource) -> None:
        """Destroy the file system."""
        self.execute(self.program, "destroy", resource.name)

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Set a property."""
        words = (self.program, "set", f"{name}={to_s(value)}", resource.name)
        if name in NOT_EVERYWHERE:
            self.attempt(words)
        else:
            self.execute(*words)


provider = ZfsProvider
