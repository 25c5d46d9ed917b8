"""Alternatives of dpkg: ``update-alternatives``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bunraku.providers.alternatives.provider import AlternativesProvider
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.systems import is_debian, is_suse


class Dpkg(AlternativesProvider):
    """Reads all alternatives with one call of ``update-alternatives``."""

    name = "dpkg"
    programs = ("update-alternatives",)

    def suitable(self) -> bool:
        """Return whether the system is of the family of Debian or SUSE and has the program."""
        return (is_debian(self.host) or is_suse(self.host)) and super().suitable()

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the alternatives of the machine."""
        lines = self.execute(self.program, "--get-selections").output.splitlines()
        rows = [line.split(maxsplit=2) for line in lines]
        return {row[0]: {"path": row[2], "mode": row[1]} for row in rows if row[2:]}


provider = Dpkg
