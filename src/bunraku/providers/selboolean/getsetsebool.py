"""Booleans of SELinux with the programs ``getsebool`` and ``setsebool``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.providers.selinux import run_quietly

GET, SET = "/usr/sbin/getsebool", "/usr/sbin/setsebool"
SHOWN = re.compile(r" (on|off)$", re.MULTILINE)
LISTED = re.compile(r"^(\S+) --> .*?(on|off)$", re.MULTILINE)


class Getsetsebool(Provider):
    """Reads all booleans at once, and single ones after a change of the machine."""

    name = "getsetsebool"

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.read_at = -1
        """The number of changes in the run when all booleans were read."""

    def suitable(self) -> bool:
        """Return whether both programs are installed."""
        return self.host.is_executable(GET) and self.host.is_executable(SET)

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the booleans of the policy; none if they cannot be listed."""
        done = self.attempt((GET, "-a"))
        self.read_at = self.run.changes
        return {name: {"value": value} for name, value in LISTED.findall(done.output)}

    def get(self, resource: ManagedResource, name: str) -> str:
        """Return whether a boolean is on. A name that is not listed may be an alias."""
        listed = self.state(resource) if self.read_at in {-1, self.run.changes} else {}
        return str(listed["value"]) if "value" in listed else self.value(resource.name)

    def value(self, name: str) -> str:
        """Return the value of one boolean; ResourceFailure if getsebool does not show it."""
        output = self.execute(GET, name).output
        found = SHOWN.findall(output)
        if not found:
            text = f"Invalid response '{output.rstrip()}' returned from getsebool"
            raise ResourceFailure(text)
        return "off" if "off" in found else "on"

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Switch a boolean, also for the next boot if the resource is persistent."""
        options = ("-P",) if resource.is_true("persistent") else ()
        run_quietly(self, SET, *options, resource.name, value)


provider = Getsetsebool
