"""Services that daemontools supervise: a link enables a service, ``svc`` starts and stops it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.run import Run
from bunraku.providers.service.base import RUNNING, STOPPED, Base

CONTROL = "/usr/bin/svc"
STATUS = "/usr/bin/svstat"
UP = re.compile(r":\s+up \(")


class Daemontools(Base):
    """Links the directories of services into the directory that is supervised."""

    name = "daemontools"
    programs: ClassVar[tuple[str, ...]] = (CONTROL, STATUS)
    features: ClassVar[frozenset[str]] = frozenset({"refreshable", "enableable"})
    sources: ClassVar[tuple[str, ...]] = ("/var/lib/service", "/etc")
    """Where the directories of services may be; the first that exists is the default."""
    supervised: ClassVar[tuple[str, ...]] = ("/service", "/etc/service", "/var/lib/svscan")
    """The directories that may be supervised; the first that exists is."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        existing = (path for path in self.sources if self.host.is_directory(path))
        found = next(existing, None)
        self.default_path = None if found is None else (found,)

    # -- places ----------------------------------------------------------------------------------

    def daemon(self, resource: ManagedResource) -> str:
        """Return the directory of a service."""
        if not resource["path"]:
            kind = f"Puppet::Type::Service::Provider{self.name.capitalize()}"
            raise ResourceFailure(f"{kind} must specify a path for daemon directory")
        return posixpath.normpath("/".join((*resource["path"], resource.name)))

    def link_path(self, resource: ManagedResource) -> str:
        """Return the link that enables a service."""
        for directory in self.supervised:
            if self.host.status(directory, follow=True) is not None:
                return f"{directory}/{resource.name}"
        raise ResourceFailure("Could not find service directory")

    def is_linked(self, resource: ManagedResource) -> bool:
        """Return whether the link of a service exists."""
        status = self.host.status(self.link_path(resource))
        return status is not None and status.kind == "link"

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the directories with a program ``run``; their states are read one by one."""
        found: dict[str, State] = {}
        for directory in self.default_path or ():
            for name in self.host.list_directory(directory):
                program = f"{directory}/{name}/run"
                hidden = name.startswith(".")
                if not hidden and self.host.status(program, follow=True) is not None:
                    found[name] = {}
        return found

    # -- states ----------------------------------------------------------------------------------

    def status(self, resource: ManagedResource) -> str:
        """Return ``running`` or ``stopped``."""
        try:
            output = self.execute(STATUS, self.link_path(resource)).output
        except ResourceFailure as error:
            raise self.unknown(resource, error) from None
        return RUNNING if UP.search(output) else STOPPED

    def unknown(self, resource: ManagedResource, error: ResourceFailure) -> ResourceFailure:
        """Return the error for a state that cannot be read."""
        return ResourceFailure(f"Could not get status for service {resource.reference}: {error}")

    def enabled(self, resource: ManagedResource) -> str:
        """Return ``true`` if a service runs or has its link."""
        enabled = self.status(resource) == RUNNING or self.is_linked(resource)
        return "true" if enabled else "false"

    # -- changes ---------------------------------------------------------------------------------

    def prepare(self, resource: ManagedResource) -> None:
        """Log that the directory of a service does not exist."""
        if not self.host.is_directory(self.daemon(resource)):
            text = f"No daemon dir, calling setupservice for {resource.name}"
            self.run.log("notice", text)

    def enable(self, resource: ManagedResource) -> None:
        """Link a service into the supervised directory."""
        self.prepare(resource)
        if not self.is_linked(resource):
            link, daemon = self.link_path(resource), self.daemon(resource)
            self.run.log("notice", f"Enabling {link}: linking {daemon} -> {link}")
            self.host.make_link(link, daemon)

    def remove_link(self, resource: ManagedResource) -> None:
        """Remove the link of a service if it exists."""
        if self.is_linked(resource):
            self.host.remove_file(self.link_path(resource))

    def disable(self, resource: ManagedResource) -> None:
        """Remove the link of a service and stop the service."""
        self.prepare(resource)
        self.remove_link(resource)
        self.stop(resource)

    def start(self, resource: ManagedResource) -> None:
        """Start a service, which is enabled first."""
        if self.enabled(resource) != "true":
            self.enable(resource)
        self.execute(CONTROL, "-u", self.link_path(resource))

    def stop(self, resource: ManagedResource) -> None:
        """Stop a service."""
        self.execute(CONTROL, "-d", self.link_path(resource))

    def restart(self, resource: ManagedResource) -> None:
        """Send a service the signal to terminate; it is started again."""
        self.execute(CONTROL, "-t", self.link_path(resource))


provider = Daemontools
