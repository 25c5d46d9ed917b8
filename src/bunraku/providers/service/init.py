"""Services managed with the scripts in ``/etc/init.d``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State, Words
from bunraku.providers.service.base import Base
from bunraku.providers.systems import families

WITH_OWN_PROVIDER = frozenset({"debian", "ubuntu", "rhel", "fedora", "centos"})
"""The systems whose init scripts need another provider."""
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


UPSTART = "/lib/init/upstart-job"
"""What the links in ``/etc/init.d`` point to for services of Upstart."""


class Init(Base):
    """Runs init scripts; their start at boot is not managed."""

    name = "init"
    default_path: tuple[str, ...] | None = ("/etc/init.d",)

    def suitable(self) -> bool:
        """Return whether no other provider is made for this system."""
        return super().suitable() and WITH_OWN_PROVIDER.isdisjoint(families(self.host))

    def script(self, resource: ManagedResource) -> str:
        """Return the path of a service's script; raise ResourceFailure if there is none."""
        directories = [path for path in resource["path"] or () if self.host.is_directory(path)]
        for ending in ("", ".sh"):
            for directory in directories:
                path = f"{directory}/{resource.name}{ending}"
                if self.host.status(path, follow=True) is not None:
                    return path
        raise ResourceFailure(f"Could not find init script for '{resource.name}'")

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the services that have a script; their states are read one by one."""
        names = [
            name
            for directory in self.default_path or ()
            if self.host.is_directory(directory)
            for name in self.host.list_directory(directory)
            if name not in UNSAFE and not name.startswith(".") and self.runs(f"{directory}/{name}")
        ]
        return {name: {} for name in names}

    def runs(self, path: str) -> bool:
        """Return whether a path is a script that can be run; Upstart's link is not."""
        status = self.host.status(path)
        if status is not None and status.kind == "link":
            if self.host.link_target(path) == UPSTART:
                return False
            status = self.host.status(path, follow=True)
        return status is not None and status.kind == "file" and bool(status.mode & 0o111)

    def start_command(self, resource: ManagedResource) -> Words:
        """Return the script with the argument ``start``."""
        return self.script(resource), "start"

    def stop_command(self, resource: ManagedResource) -> Words | None:
        """Return the script with the argument ``stop``."""
        return self.script(resource), "stop"

    def restart_command(self, resource: ManagedResource) -> Words | None:
        """Return the script with the argument ``restart`` if it supports it."""
        return (self.script(resource), "restart") if resource.is_true("hasrestart") else None

    def status_command(self, resource: ManagedResource) -> Words | None:
        """Return the script with the argument ``status`` if it supports it."""
        return (self.script(resource), "status") if resource.is_true("hasstatus") else None


provider = Init
