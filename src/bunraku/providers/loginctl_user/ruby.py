"""The provider of ``loginctl_user``; the name is that of Puppet's provider."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider

COMMANDS = {"enabled": "enable-linger", "disabled": "disable-linger"}


class Loginctl(Provider):
    """Runs ``loginctl``."""

    name = "ruby"
    programs = ("loginctl",)

    @property
    def program(self) -> str:
        """The path of loginctl."""
        return self.host.find_program("loginctl") or "loginctl"

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: loginctl answers for one user at a time."""

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return whether the user lingers; a user without a session does not, and loginctl fails."""
        words = (self.program, "show-user", resource.name, "--property=Linger", "--value")
        done = self.attempt(words)
        return "enabled" if done.code == 0 and done.output.rstrip("\n") == "yes" else "disabled"

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Let the user linger, or not."""
        self.execute(self.program, COMMANDS[value], resource.name)


provider = Loginctl
