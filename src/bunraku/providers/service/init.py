"""Services by the scripts in ``/etc/init.d``."""

from __future__ import annotations

from typing import ClassVar

from bunraku.providers.base import ManagedResource, Words
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.service.base import Base
from bunraku.providers.service.system import families

WITH_OWN_PROVIDER = frozenset({"debian", "ubuntu", "rhel", "fedora", "centos"})
"""The systems whose init scripts need more than this provider does."""
UNSAFE = frozenset(
    [
        "README",
        "boot",
        "cryptdisks-udev",
        "functions",
        "functions.sh",
        "gssd-mounting",
        "halt",
        "idmapd-mounting",
        "killall",
        "linuxconf",
        "module-init-tools",
        "portmap-wait",
        "rcS",
        "reboot",
        "reboot.sh",
        "shutdown.sh",
        "single",
        "skeleton",
        "startpar-bridge",
        "statd-mounting",
        "wait-for-state",
    ]
)
"""Files that are not services, or that must not be run to read a state."""


class Init(Base):
    """Runs init scripts; whether they run at boot is not managed."""

    name = "init"
    default_path: ClassVar[tuple[str, ...] | None] = ("/etc/init.d",)

    def suitable(self) -> bool:
        """Return whether no better provider is made for this system."""
        return super().suitable() and WITH_OWN_PROVIDER.isdisjoint(families(self.host))

    def script(self, resource: ManagedResource) -> str:
        """Return the path of the script of a service; raise ResourceFailure if there is none."""
        directories = [path for path in resource["path"] or () if self.host.is_directory(path)]
        for ending in ("", ".sh"):
            for directory in directories:
                path = f"{directory}/{resource.name}{ending}"
                if self.host.status(path, follow=True) is not None:
                    return path
        raise ResourceFailure(f"Could not find init script for '{resource.name}'")

    def start_command(self, resource: ManagedResource) -> Words:
        """Return the script with ``start``."""
        return self.script(resource), "start"

    def stop_command(self, resource: ManagedResource) -> Words | None:
        """Return the script with ``stop``."""
        return self.script(resource), "stop"

    def restart_command(self, resource: ManagedResource) -> Words | None:
        """Return the script with ``restart`` if it has that."""
        return (self.script(resource), "restart") if resource.is_true("hasrestart") else None

    def status_command(self, resource: ManagedResource) -> Words | None:
        """Return the script with ``status`` if it has that."""
        return (self.script(resource), "status") if resource.is_true("hasstatus") else None


provider = Init
