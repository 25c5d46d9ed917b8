"""Init scripts on Debian: ``update-rc.d`` makes their links, ``invoke-rc.d`` reads them."""

from __future__ import annotations

from typing import ClassVar

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Words
from bunraku.providers.service.base import Base
from bunraku.providers.service.init import Init
from bunraku.providers.service.system import enabled_by_policy, runs_systemd

UPDATE = "/usr/sbin/update-rc.d"
INVOKE = "/usr/sbin/invoke-rc.d"
SERVICE = "/usr/sbin/service"
DISABLES = "2.88"
"""The first version of sysv-rc whose ``update-rc.d`` has the action ``disable``."""


class Debian(Init):
    """Runs init scripts, and links them into the runlevels."""

    name = "debian"
    programs: ClassVar[tuple[str, ...]] = ("kill", UPDATE, INVOKE, SERVICE)
    features: ClassVar[frozenset[str]] = frozenset({"refreshable", "enableable"})

    def suitable(self) -> bool:
        """Return whether Debian's programs exist and systemd does not run."""
        return Base.suitable(self) and not runs_systemd(self.host)

    def status_command(self, resource: ManagedResource) -> Words | None:
        """Return the command ``service``, which reads the state with any init system."""
        return (SERVICE, resource.name, "status") if resource.is_true("hasstatus") else None

    def enabled(self, resource: ManagedResource) -> str:
        """Return whether a script starts at boot, from ``invoke-rc.d`` or its links."""
        query = (INVOKE, "--quiet", "--query", resource.name, "start")
        code = self.attempt(query, merged=False).code
        return "true" if enabled_by_policy(self.host, code, resource.name) else "false"

    def enable(self, resource: ManagedResource) -> None:
        """Recreate the links of a script in its runlevels."""
        self.execute(UPDATE, "-f", resource.name, "remove")
        self.execute(UPDATE, resource.name, "defaults")

    def disable(self, resource: ManagedResource) -> None:
        """Turn the links of a script into links that stop it."""
        version = self.attempt(
            ("dpkg-query", "-W", "--showformat", "${Version}", "sysv-rc"), merged=False
        ).output.strip()
        compare = ("dpkg", "--compare-versions", version, "ge", DISABLES)
        if version and self.attempt(compare).code == 0:
            self.execute(UPDATE, resource.name, "disable")
            return
        self.execute(UPDATE, "-f", resource.name, "remove")
        self.execute(UPDATE, resource.name, "stop", "00", "1", "2", "3", "4", "5", "6", ".")


provider = Debian
