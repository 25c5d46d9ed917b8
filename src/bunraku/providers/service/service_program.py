"""Services that a program starts and stops, which takes their name and an action."""

from __future__ import annotations

from typing import ClassVar

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Words
from bunraku.providers.service.base import Base


class ServiceProgram(Base):
    """Runs the scripts of services with a program, such as ``service NAME start``."""

    service_program: ClassVar[str]

    def start_command(self, resource: ManagedResource) -> Words:
        """Return the command that starts a service."""
        return self.service_program, resource.name, "start"

    def stop_command(self, resource: ManagedResource) -> Words | None:
        """Return the command that stops a service."""
        return self.service_program, resource.name, "stop"

    def restart_command(self, resource: ManagedResource) -> Words | None:
        """Return the command that restarts a service if its script has one."""
        has_one = resource.is_true("hasrestart")
        return (self.service_program, resource.name, "restart") if has_one else None

    def status_command(self, resource: ManagedResource) -> Words | None:
        """Return the command that reads the state of a service if its script has one."""
        has_one = resource.is_true("hasstatus")
        return (self.service_program, resource.name, "status") if has_one else None
