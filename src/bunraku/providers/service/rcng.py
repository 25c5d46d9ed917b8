"""Services of NetBSD: scripts in ``rc.d``, each with its own file in ``rc.conf.d``."""

from __future__ import annotations

import re
from typing import ClassVar

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.service.bsd import Bsd


class Rcng(Bsd):
    """Runs scripts, and sets their variables in files of their own."""

    name = "rcng"
    default_path = ("/etc/rc.d",)
    systems: ClassVar[frozenset[str]] = frozenset({"netbsd", "cargos"})

    def enabled(self, resource: ManagedResource) -> str:
        """Return whether the variable in the file of a service is ``YES``."""
        name = re.escape(resource.name)
        enabled = re.compile(rf"^\s*{name}=(?:YES|\${{{name}:=YES}})", re.MULTILINE)
        return "true" if enabled.search(self.text_of(resource) or "") else "false"

    def enable(self, resource: ManagedResource) -> None:
        """Set the variable in the file of a service to ``YES``."""
        name = resource.name
        line = f"{name}=${{{name}:=YES}}"
        escaped = re.escape(name)
        disabled = re.compile(rf"\s*{escaped}=(?:NO|\${{{escaped}:NO}})")
        old = self.text_of(resource)
        lines = [line] if old is None else old.splitlines()
        lines = [line if disabled.match(one) else one for one in lines]
        self.write(resource, "\n".join(lines) + "\n")


provider = Rcng
