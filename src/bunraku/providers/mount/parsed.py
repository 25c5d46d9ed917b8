"""File systems as lines of ``/etc/fstab``, and the programs that mount them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import FilePart, ParsedFile, split
from bunraku.providers.provider import State
from bunraku.types.ruby_semantics.values import to_s

MOUNTED = "/proc/self/mounts"
"""The kernel's list of mounted file systems."""
ESCAPED = re.compile(r"\\([0-7]{3})")
FIELDS = ("device", "name", "fstype", "options", "dump", "pass")


class MountTable(ParsedFile):
    """Reads and writes ``/etc/fstab``; mounts and unmounts file systems."""

    name = "parsed"
    programs = ("mount", "umount")
    default_target = "/etc/fstab"
    properties = frozenset(FIELDS)

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.waiting: set[ManagedResource] = set()
        """The resources to mount after the table is written."""

    # -- format ----------------------------------------------------------------------------------

    def parse(self, line: str) -> State | None:
        """Return the fields of a line."""
        if line.lstrip().startswith("#") or len(line.split()) < 2:
            return None
        found: State = dict(zip(FIELDS, split(line, r"\s+", len(FIELDS), "\t"), strict=True))
        for name in ("device", "name"):
            found[name] = found[name].replace(r"\040", " ")
        found["name"] = re.sub(r"^(.+?)/*$", r"\1", found["name"])
        return found

    def line(self, entry: FilePart) -> str:
        """Return the fields separated by tabs; fields at the end may be missing."""
        state = {**entry.state, "name": entry.name}
        if state.get("options", ABSENT) in (ABSENT, ""):
            state["options"] = "defaults"
        if not state.get("fstype"):
            raise ResourceFailure(f"Mount[{entry.name}]: Field 'fstype' is required")
        if state.get("device", ABSENT) == ABSENT:
            raise ResourceFailure("Field 'device' is required")
        for name in ("device", "name"):
            state[name] = str(state[name]).replace(" ", r"\040")
        fields = (state.get(name, ABSENT) for name in FIELDS)
        return "\t".join("" if field == ABSENT else str(field) for field in fields)

    def gather(self, entries: list[FilePart]) -> list[FilePart]:
        """Mark all file systems as not mounted."""
        for entry in entries:
            if entry.text is None:
                entry.state["ensure"] = "unmounted"
        return entries

    # -- reading ---------------------------------------------------------------------------------

    def mounted(self) -> set[str]:
        """Return the current mount points."""
        rows = (row.split(" ") for row in self.read_target(MOUNTED).splitlines())
        return {ESCAPED.sub(lambda code: chr(int(code[1], 8)), row[1]) for row in rows if row[1:]}

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the file systems of the table, and the mounted ones that it does not list."""
        found = dict(super().instances(wanted))
        for name in self.mounted():
            if name in found:
                found[name]["ensure"] = "mounted"
            elif wanted is None:
                found[name] = {"ensure": "ghost", "target": self.default_target}
        return found

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read the table and the mounted file systems."""
        super().prefetch(resources)
        mounted = self.mounted()
        for resource in resources:
            state = self.state(resource)
            if resource["name"] in mounted and state["ensure"] == ABSENT:
                state["ensure"] = "ghost"

    def key(self, resource: ManagedResource) -> str:
        """Return the mount point without slashes at the end."""
        return to_s(resource["name"])

    # -- mounting --------------------------------------------------------------------------------

    def is_mounted(self, resource: ManagedResource) -> bool:
        """Return whether the file system is mounted."""
        found = str(self.get(resource, "ensure"))
        return found in ("mounted", "ghost")

    def flush(self, resource: ManagedResource) -> None:
        """Write the table, then mount the pending file systems."""
        waiting = resource in self.waiting
        self.waiting.discard(resource)
        super().flush(resource)
        if waiting:
            self.mount(resource)

    def call(self, program: str, *arguments: str) -> None:
        """Run a program; failures show its path."""
        self.execute(self.host.find_program(program) or program, *arguments)

    def mount(self, resource: ManagedResource) -> None:
        """Mount a file system of the table."""
        self.call("mount", self.key(resource))
        self.follow(resource, {ABSENT: "ghost", "unmounted": "mounted"})

    def unmount(self, resource: ManagedResource) -> None:
        """Unmount a file system."""
        self.call("umount", self.key(resource))
        self.follow(resource, {"ghost": ABSENT, "mounted": "unmounted"})

    def remount(self, resource: ManagedResource) -> None:
        """Remount a file system with the options of the table."""
        source = f"{resource.reference}(provider={self.name})"
        resource.run.log("info", "Remounting", source, tags=resource.tags)
        if resource.is_true("remounts"):
            self.call("mount", "-o", "remount", self.key(resource))
        else:
            self.unmount(resource)
            self.mount(resource)

    def follow(self, resource: ManagedResource, changes: Mapping[str, str]) -> None:
        """Change the stored state of a resource."""
        state = self.state(resource)
        state["ensure"] = changes.get(state["ensure"], state["ensure"])


provider = MountTable
