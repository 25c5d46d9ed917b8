"""What the providers of ``alternatives`` have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State

MODES = (("auto", "auto mode", "status is auto"), ("manual", "manual mode", "status is manual"))
"""The modes, and how the first line of ``--display`` shows them."""


class AlternativesProvider(Provider, ABC):
    """Selects with a program that takes ``--set NAME PATH`` and ``--auto NAME``."""

    features = frozenset({"mode"})

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.read_at = -1
        """The number of changes in the run when the states were read."""

    @property
    def program(self) -> str:
        """The path of the program."""
        name = self.programs[0]
        return self.host.find_program(name) or name

    @abstractmethod
    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the path and the mode of alternatives, by name."""

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: a package that is installed in the run may add alternatives."""

    def state(self, resource: ManagedResource) -> State:
        """Return the state of an alternative; after a change of the machine, all are read again."""
        if self.read_at != self.run.changes:
            same = [one for one in self.run.of_type("alternatives") if one.made_provider is self]
            self.states = dict(self.instances([*same, resource]))
            self.read_at = self.run.changes
        return (self.states or {}).get(resource.name, {})

    def take(self, resource: ManagedResource, state: State) -> None:
        """Do nothing: the state is read when it is needed."""

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the selected path, None without one, or the mode."""
        found = self.state(resource).get(name)
        return self.displayed_mode(resource) if name == "mode" and found is None else found

    def displayed_mode(self, resource: ManagedResource) -> str:
        """Return the mode as the program displays it; ResourceFailure for an unknown alternative."""
        lines = self.execute(self.program, "--display", resource.name).output.splitlines()
        for mode, *signs in MODES:
            if lines and any(sign in lines[0] for sign in signs):
                return mode
        raise ResourceFailure("Could not determine if the alternative is in auto or manual mode")

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Select a path, or let the priorities select."""
        if name == "mode" and value == "auto":
            self.execute(self.program, "--auto", resource.name)
        else:
            path = value if name == "path" else self.get(resource, "path")
            self.execute(self.program, "--set", resource.name, path)

    def family(self, resource: ManagedResource) -> str | None:
        """Return the family of the selected program, None if it has none."""
        raise ResourceFailure("undefined method `family'")
