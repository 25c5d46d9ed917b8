"""What the types for logical volumes and their file systems have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.types.ruby_semantics.values import to_s


def qualified_name(kind: str) -> Any:
    """Return a reader of the path of a device, for messages about a kind of resource."""

    def read(value: Any) -> Any:
        if not to_s(value).startswith("/"):
            raise InvalidValue(f"{kind} names must be fully qualified")
        return value

    return read


class LvmProvider(Provider):
    """Runs the programs of LVM. What exists is listed once until something changes."""

    name = "lvm"

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.read_at = -1
        """The number of changes in the run when the lists were read."""
        self.lists: dict[tuple[str, ...], list[list[str]]] = {}
        """The rows that programs printed, by command."""

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: what exists is read when it is needed."""

    def rows(self, *words: str, separator: str | None = None) -> list[list[str]]:
        """Return the fields of the lines that a program prints; also those of a program that fails."""
        if self.read_at != self.run.changes:
            self.lists.clear()
            self.read_at = self.run.changes
        if words not in self.lists:
            lines = self.attempt(words).output.splitlines()
            self.lists[words] = [line.split(separator) for line in lines if line.strip()]
        return self.lists[words]

    def knows(self, program: str, name: str) -> bool:
        """Return whether a program lists a name, or finds it under another one such as a link."""
        path = self.path_of(program)
        if any(row[0] == name for row in self.rows(path)):
            return True
        return self.attempt((path, name)).code == 0

    def listed(self, program: str) -> dict[str, State]:
        """Return what a program lists, by the first column; ResourceFailure if it fails."""
        rows = [line.split() for line in self.execute(program).output.splitlines()[1:]]
        return {row[0]: self.listed_state(row) for row in rows if row}

    def listed_state(self, row: Sequence[str]) -> State:
        """Return the state of a row."""
        return {"ensure": "present"}

    def path_of(self, program: str) -> str:
        """Return the path of a program, as Puppet's messages show it."""
        return self.host.find_program(program) or program

    def command(self, program: str, *words: Any) -> str:
        """Run a program and return its output; ResourceFailure if it fails."""
        return self.execute(self.path_of(program), *words).output
