"""Services of OpenRC: ``rc-service`` runs them, ``rc-update`` adds them to runlevels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.run import Run
from bunraku.providers.service.service_program import ServiceProgram

STATUS = "/bin/rc-status"
SERVICE = "/sbin/rc-service"
UPDATE = "/sbin/rc-update"
LINE = re.compile(r"^\s+(.*?)\s*\[\s*(.*)\s*\]$")
RUNLEVEL = "Runlevel: "


class Openrc(ServiceProgram):
    """Runs services, and adds them to the current runlevel."""

    name = "openrc"
    programs: ClassVar[tuple[str, ...]] = (STATUS, SERVICE, UPDATE)
    service_program: ClassVar[str] = SERVICE
    features: ClassVar[frozenset[str]] = frozenset({"refreshable", "enableable"})

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.variables = {"RC_SVCNAME": None}

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all services; their states are read one by one."""
        names = self.execute(SERVICE, "-C", "--list").output.splitlines()
        return {name: {} for name in names}

    def enabled(self, resource: ManagedResource) -> str:
        """Return whether a service is in a runlevel; those of dynamic runlevels do not count."""
        in_runlevels = False
        for line in self.execute(STATUS, "-C", "-a").output.splitlines():
            found = LINE.match(line)
            if line[:1].strip():
                in_runlevels = line.startswith(RUNLEVEL)
            elif found is not None and found[1] == resource.name:
                return "true" if in_runlevels else "false"
        return "false"

    def enable(self, resource: ManagedResource) -> None:
        """Add a service to the current runlevel."""
        self.execute(UPDATE, "-C", "add", resource.name)

    def disable(self, resource: ManagedResource) -> None:
        """Remove a service from the current runlevel."""
        self.execute(UPDATE, "-C", "del", resource.name)


provider = Openrc
