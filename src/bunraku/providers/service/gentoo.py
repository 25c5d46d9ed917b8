"""Init scripts on Gentoo: ``rc-update`` adds them to the runlevel ``default``."""

from __future__ import annotations

import re
from typing import ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.service.base import Base
from bunraku.providers.service.init import Init
from bunraku.providers.systems import families

UPDATE = "/sbin/rc-update"


class Gentoo(Init):
    """Runs init scripts, and adds them to the runlevel ``default``."""

    name = "gentoo"
    programs: ClassVar[tuple[str, ...]] = (UPDATE,)
    features: ClassVar[frozenset[str]] = frozenset({"refreshable", "enableable"})

    def suitable(self) -> bool:
        """Return whether the system is Gentoo."""
        return Base.suitable(self) and "gentoo" in families(self.host)

    def enabled(self, resource: ManagedResource) -> str:
        """Return whether a service is in the runlevel ``boot`` or ``default``."""
        listed = self.attempt((UPDATE, "show"))
        line = re.compile(rf"^\s*{re.escape(resource.name)}\s*\|\s*(boot|default)", re.MULTILINE)
        return "true" if listed.code == 0 and line.search(listed.output) else "false"

    def change_enabled(self, action: str, resource: ManagedResource) -> None:
        """Add a service to the runlevel, or remove it."""
        if self.attempt((UPDATE, action, resource.name, "default")).code != 0:
            word = "enable" if action == "add" else "disable"
            raise ResourceFailure(f"Could not {word} {resource.name}: ")

    def enable(self, resource: ManagedResource) -> None:
        """Add a service to the runlevel ``default``."""
        self.change_enabled("add", resource)

    def disable(self, resource: ManagedResource) -> None:
        """Remove a service from the runlevel ``default``."""
        self.change_enabled("del", resource)


provider = Gentoo
