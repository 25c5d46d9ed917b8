"""The base class of providers whose program a resource may choose with ``command``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.provider import PackageProvider
from bunraku.providers.provider import State
from bunraku.providers.run import Run
from bunraku.types.ruby_semantics.values import to_s


class Targeted(PackageProvider):
    """Installs packages of a language for the program that a resource sets, or the first in PATH."""

    commands: ClassVar[tuple[str, ...]] = ()
    """The names of the program, the preferred one first."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.lists: dict[str, tuple[int, dict[str, State]]] = {}
        """The number of changes in the run when a program listed its packages, and the list."""

    def suitable(self) -> bool:
        """Return True: a resource may set its program; without one, only the resource fails."""
        return True

    def default_command(self) -> str | None:
        """Return the first program that exists."""
        return next(filter(None, map(self.host.find_program, self.commands)), None)

    def command(self, resource: ManagedResource) -> str:
        """Return the program of a resource; raise ResourceFailure if there is none."""
        given = resource["command"]
        found = self.default_command() if given is None else str(given)
        if found is None:
            text = f"Provider {self.name} package command is not functional on this host"
            raise ResourceFailure(text)
        if given is not None and not self.host.is_file(found):
            text = f"Provider {self.name} package command '{found}' does not exist on this host"
            raise ResourceFailure(text)
        return found

    def installed(self, command: str) -> dict[str, State]:
        """Return the packages that a program lists, by name."""
        raise ResourceFailure(f"the provider {self.name} cannot list packages")

    def key(self, name: str) -> str:
        """Return the name of a package in the list."""
        return name

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the packages of the default program."""
        command = self.default_command()
        return {} if command is None else self.installed(command)

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: a program lists its packages when the first of them is needed."""
        self.states = {}

    def surely_missing(self, resource: ManagedResource) -> bool:
        """Return False: the list of the program is complete."""
        return False

    def query(self, resource: ManagedResource) -> State | None:
        """Return the state of a package; a program lists its packages again only after a change."""
        command = self.command(resource)
        read_at, found = self.lists.get(command, (-1, {}))
        if read_at != self.run.changes:
            listed = self.installed(command)
            found = {self.key(name): state for name, state in listed.items()}
            self.lists[command] = self.run.changes, found
        return found.get(self.key(resource.name))


def with_error(output: str, action: str) -> None:
    """Raise ResourceFailure for output that reports an error, regardless of the exit code."""
    if "ERROR" in output:
        raise ResourceFailure(f"Could not {action}: {output.rstrip()}")


def texts(value: Any) -> Iterable[str]:
    """Return the installed versions of a package."""
    return map(to_s, value if isinstance(value, list) else [value])
