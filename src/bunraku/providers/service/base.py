"""Services managed with the commands of the resource or the process table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from bunraku.base.errors import PuppetError
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State, Words, successful
from bunraku.providers.systems import FREEBSD, families
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.regexp.regexp import regexp_from_string
from bunraku.world.host import Finished

RUNNING = "running"
STOPPED = "stopped"
PROCESSES = "ps -ef"
BSD_PROCESSES = "ps auxwww"
BSDS = FREEBSD | {"netbsd", "openbsd"}


class Base(Provider):
    """Runs the commands of the resource, or searches the process table for the binary."""

    name = "base"
    programs: ClassVar[tuple[str, ...]] = ("kill",)
    features: ClassVar[frozenset[str]] = frozenset({"refreshable"})
    default_path: tuple[str, ...] | None = None
    """The directories of init scripts; None for a provider that does not use them."""

    # -- commands --------------------------------------------------------------------------------

    def start_command(self, resource: ManagedResource) -> Words:
        """Return the command that starts a service."""
        if resource["binary"]:
            return to_s(resource["binary"])
        raise ResourceFailure("Services must specify a start command or a binary")

    def stop_command(self, resource: ManagedResource) -> Words | None:
        """Return the command that stops a service; None if its process must be killed."""
        return None

    def restart_command(self, resource: ManagedResource) -> Words | None:
        """Return the command that restarts a service; None to stop and start it."""
        return None

    def status_command(self, resource: ManagedResource) -> Words | None:
        """Return the command that succeeds if a service runs; None to search the process table."""
        return None

    def given(self, resource: ManagedResource, action: str) -> Words | None:
        """Return the command of the resource for an action."""
        command = resource[action]
        return tuple(map(to_s, command)) if isinstance(command, list) else command

    def act(self, action: str, resource: ManagedResource, command: Words) -> Finished:
        """Run the command of an action; raise ResourceFailure unless it exits with 0."""
        try:
            return successful(command, self.attempt(command, localized=True))
        except ResourceFailure as error:
            reason = f"Could not {action} {resource.reference}: {error}"
            raise ResourceFailure(reason) from None

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return nothing: what runs without a script is not a service until a resource names it."""
        return {}

    # -- states ----------------------------------------------------------------------------------

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: states are read one by one."""

    def status(self, resource: ManagedResource) -> str:
        """Return ``running`` or ``stopped``."""
        command = self.given(resource, "status") or self.status_command(resource)
        if command is not None:
            done = self.attempt(command, localized=True)
            return RUNNING if done.code == 0 else STOPPED
        return RUNNING if self.process(resource) is not None else STOPPED

    def start(self, resource: ManagedResource) -> None:
        """Start a service."""
        self.act("start", resource, self.given(resource, "start") or self.start_command(resource))

    def stop(self, resource: ManagedResource) -> None:
        """Stop a service."""
        command = self.given(resource, "stop") or self.stop_command(resource)
        if command is not None:
            self.act("stop", resource, command)
            return
        number = self.process(resource)
        if number is None:
            resource.log("info", f"{resource.name} is not running")
            return
        done = self.attempt(("kill", number))
        if done.code != 0:
            raise ResourceFailure(f"Could not kill {resource.name}, PID {number}: ")

    def restart(self, resource: ManagedResource) -> None:
        """Restart a service."""
        command = self.given(resource, "restart") or self.restart_command(resource)
        if command is not None:
            self.act("restart", resource, command)
        else:
            self.stop(resource)
            self.start(resource)

    def process(self, resource: ManagedResource) -> str | None:
        """Return the ID of the first process that matches the pattern; None if none does."""
        try:
            pattern = regexp_from_string(to_s(resource["pattern"]))
        except PuppetError as error:
            raise ResourceFailure(error.message) from None
        command = PROCESSES if BSDS.isdisjoint(families(self.host)) else BSD_PROCESSES
        for line in successful(command, self.attempt(command)).output.splitlines():
            if pattern.search(line) is not None:
                resource.log("debug", f"Process matched: {line}")
                return line.split()[1]
        return None

    # -- start at boot ---------------------------------------------------------------------------

    def enabled(self, resource: ManagedResource) -> str:
        """Return ``true`` if a service starts at boot, otherwise ``false`` or ``mask``."""
        raise ResourceFailure(f"the provider {self.name} does not manage the start at boot")

    def enabled_in_sync(self, resource: ManagedResource, current: str) -> bool:
        """Return whether the start at boot is in sync."""
        return current in resource.accepted("enable")

    def set_enabled(self, resource: ManagedResource, wanted: str) -> None:
        """Enable or disable the start of a service at boot."""
        if wanted == "true":
            self.enable(resource)
        else:
            self.disable(resource)

    def enable(self, resource: ManagedResource) -> None:
        """Enable the start of a service at boot."""
        raise ResourceFailure(f"the provider {self.name} does not manage the start at boot")

    def disable(self, resource: ManagedResource) -> None:
        """Disable the start of a service at boot."""
        raise ResourceFailure(f"the provider {self.name} does not manage the start at boot")


provider = Base
