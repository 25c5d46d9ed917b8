"""Entries of alternatives of dpkg: ``update-alternatives``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bunraku.providers.alternative_entry.provider import EntryProvider
from bunraku.providers.provider import State
from bunraku.providers.systems import is_debian, is_suse

LINK = re.compile(r"^Link: (.*)$", re.MULTILINE)
ENTRY = re.compile(r"^Alternative: (.*)\nPriority: (.*)$", re.MULTILINE)


class Dpkg(EntryProvider):
    """Asks ``update-alternatives`` for one alternative after the other."""

    name = "dpkg"
    programs = ("update-alternatives",)

    def suitable(self) -> bool:
        """Return whether the system is of the family of Debian or SUSE and has the program."""
        return (is_debian(self.host) or is_suse(self.host)) and super().suitable()

    def names(self) -> Sequence[str]:
        """Return the names of all alternatives."""
        lines = self.execute(self.program, "--get-selections").output.splitlines()
        return [line.split()[0] for line in lines if line.strip()]

    def query(self, name: str) -> Iterator[State]:
        """Yield the entries of an alternative, none if it does not exist."""
        done = self.attempt((self.program, "--query", name))
        link = LINK.search(done.output)
        if done.code != 0 or link is None:
            return
        for path, priority in ENTRY.findall(done.output):
            yield {
                "ensure": "present",
                "altname": name,
                "altlink": link[1],
                "name": path,
                "priority": priority,
            }


provider = Dpkg
