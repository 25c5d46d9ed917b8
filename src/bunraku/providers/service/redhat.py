"""Init scripts on Red Hat's systems: ``chkconfig`` makes their links, ``service`` runs them."""

from __future__ import annotations

import re
from typing import ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.service.base import Base
from bunraku.providers.service.init import Init
from bunraku.providers.service.service_program import ServiceProgram
from bunraku.providers.systems import is_suse

CHKCONFIG = "/sbin/chkconfig"
SERVICE = "/sbin/service"


class Redhat(ServiceProgram, Init):
    """Runs init scripts, and links them into the runlevels."""

    name = "redhat"
    source: ClassVar[str] = "init"
    programs: ClassVar[tuple[str, ...]] = (CHKCONFIG, SERVICE)
    service_program: ClassVar[str] = SERVICE
    features: ClassVar[frozenset[str]] = frozenset({"refreshable", "enableable"})

    def suitable(self) -> bool:
        """Return whether Red Hat's programs exist."""
        return Base.suitable(self)

    def script(self, resource: ManagedResource) -> str:
        """Return the words that run a script, for messages."""
        raise ResourceFailure(
            f"Do not directly call the init script for '{resource.name}'; use 'service' instead"
        )

    def enabled(self, resource: ManagedResource) -> str:
        """Return whether a script starts at boot; SUSE's ``chkconfig`` prints it."""
        done = self.attempt((CHKCONFIG, resource.name))
        if done.code != 0:
            return "false"
        started = re.compile(rf"^{re.escape(resource.name)}\s+(on|B)$", re.MULTILINE)
        return "true" if not is_suse(self.host) or started.search(done.output) else "false"

    def enable(self, resource: ManagedResource) -> None:
        """Link a script into its runlevels."""
        try:
            self.execute(CHKCONFIG, "--add", resource.name)
            self.execute(CHKCONFIG, resource.name, "on")
        except ResourceFailure as error:
            raise ResourceFailure(f"Could not enable {resource.name}: {error}") from None

    def disable(self, resource: ManagedResource) -> None:
        """Turn a script off in all runlevels."""
        try:
            self.execute(CHKCONFIG, "--level", "0123456", resource.name, "off")
        except ResourceFailure as error:
            raise ResourceFailure(f"Could not disable {resource.name}: {error}") from None


provider = Redhat
