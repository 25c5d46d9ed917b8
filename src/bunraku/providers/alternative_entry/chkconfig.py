"""Entries of alternatives of chkconfig: the program ``alternatives`` of Red Hat."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bunraku.providers.alternative_entry.provider import EntryProvider
from bunraku.providers.alternatives.chkconfig import DIRECTORY
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.systems import is_red_hat

PROGRAM = "/usr/sbin/alternatives"
ENTRY = re.compile(r"^(.*/[^/]*) -.*priority (\w+)$", re.MULTILINE)


class Chkconfig(EntryProvider):
    """Asks ``alternatives`` for one alternative after the other."""

    name = "chkconfig"

    @property
    def program(self) -> str:
        """The path of the program."""
        return PROGRAM

    def suitable(self) -> bool:
        """Return whether the system is of the family of Red Hat and has the program."""
        return is_red_hat(self.host) and self.host.is_executable(PROGRAM)

    def names(self) -> Sequence[str]:
        """Return the names of all alternatives."""
        return self.host.list_directory(DIRECTORY) if self.host.is_directory(DIRECTORY) else []

    def query(self, name: str) -> Iterator[State]:
        """Yield the entries of an alternative, none if it does not exist."""
        if not self.host.is_file(f"{DIRECTORY}/{name}"):
            return
        done = self.attempt((PROGRAM, "--display", name))
        lines = self.host.read(f"{DIRECTORY}/{name}").decode("utf-8", "replace").splitlines()
        if done.code != 0 or len(lines) < 2:
            self.run.log("warning", f"Failed to parse alternatives entry {name}")
            return
        for path, priority in ENTRY.findall(done.output):
            yield {
                "ensure": "present",
                "altname": name,
                "altlink": lines[1],
                "altlink_ro": lines[1],
                "name": path,
                "priority": priority,
            }

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the alternative has the program with the link of the resource."""
        return bool(self.state(resource))

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the entry; as in the module, it does not matter whether this succeeds."""
        try:
            super().destroy(resource)
        except ResourceFailure as error:
            resource.log("debug", str(error))


provider = Chkconfig
