"""Swap files, with the programs of util-linux."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.attributes import ABSENT
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State

FIELDS = ("type", "size", "used", "priority")


class SwapFiles(Provider):
    """Runs ``mkswap``, ``swapon`` and ``swapoff``."""

    name = "linux"
    programs: ClassVar[tuple[str, ...]] = ("swapon", "swapoff", "mkswap")

    def run_program(self, name: str, *arguments: str) -> str:
        """Run a program and return its output."""
        return self.execute(self.host.find_program(name) or name, *arguments).output

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the files and partitions that are in use."""
        lines = self.run_program("swapon", "-s").split("\n")[1:]
        entries = (line.split() for line in sorted(lines) if line.strip())
        return {
            name: {"ensure": "present", **dict(zip(FIELDS, values, strict=False))}
            for name, *values in entries
        }

    def create(self, resource: ManagedResource) -> None:
        """Let :meth:`flush` use the file."""

    def destroy(self, resource: ManagedResource) -> None:
        """Let :meth:`flush` stop using the file."""

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change nothing: as in the module, the properties only describe the file."""

    def flush(self, resource: ManagedResource) -> None:
        """Use the file, or stop using it."""
        if resource["ensure"] == ABSENT:
            self.run_program("swapoff", resource.name)
        elif not self.exists(resource):
            self.run_program("mkswap", resource.name)
            self.run_program("swapon", resource.name)


provider = SwapFiles
