"""Services that runit supervises: a link enables a service, ``sv`` starts and stops it."""

from __future__ import annotations

import re
from typing import ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.service.base import RUNNING, STOPPED
from bunraku.providers.service.daemontools import Daemontools

CONTROL = "/usr/bin/sv"
NOT_SUPERVISED = re.compile(r"warning: |runsv not running$", re.MULTILINE)
UP = re.compile(r"^run: ", re.MULTILINE)
DISCOVERY = 5
"""The seconds in which ``runsvdir`` finds a new link."""


class Runit(Daemontools):
    """Links the directories of services into the directory that is supervised."""

    name = "runit"
    programs: ClassVar[tuple[str, ...]] = (CONTROL,)
    sources: ClassVar[tuple[str, ...]] = ("/var/lib/service", "/etc/sv")
    supervised: ClassVar[tuple[str, ...]] = ("/service", "/etc/service", "/var/service")

    def status(self, resource: ManagedResource) -> str:
        """Return ``running`` or ``stopped``; a service without supervision is stopped."""
        try:
            output = self.execute(CONTROL, "status", self.daemon(resource)).output
        except ResourceFailure as error:
            if NOT_SUPERVISED.search(str(error)) is None:
                raise self.unknown(resource, error) from None
            return STOPPED
        return RUNNING if UP.search(output) else STOPPED

    def disable(self, resource: ManagedResource) -> None:
        """Remove the link of a service; ``runsvdir`` then stops it."""
        self.remove_link(resource)

    def start(self, resource: ManagedResource) -> None:
        """Start a service; a new link needs some seconds to be found."""
        if self.enabled(resource) != "true":
            self.enable(resource)
            text = "Waiting {0} seconds for runsvdir to discover service {1}"
            self.run.log("info", text.format(DISCOVERY, self.link_path(resource)))
            self.host.sleep(DISCOVERY)
        self.execute(CONTROL, "start", self.link_path(resource))

    def stop(self, resource: ManagedResource) -> None:
        """Stop a service."""
        self.execute(CONTROL, "stop", self.link_path(resource))

    def restart(self, resource: ManagedResource) -> None:
        """Restart a service."""
        self.execute(CONTROL, "restart", self.link_path(resource))


provider = Runit
