"""Replication slots of the local PostgreSQL server."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.world.host import Finished

CREATE = "SELECT * FROM pg_create_physical_replication_slot"
COLUMNS = re.compile(r"\s+\|\s+")


class Slots(Provider):
    """Runs ``psql`` as the user ``postgres``."""

    name = "ruby"
    programs = ("psql",)

    def sql(self, sql: str) -> Finished:
        """Run a statement."""
        words = ("psql", "-t", "-c", sql)
        return self.attempt(words, user="postgres", group="postgres")

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the slots; none if the server does not answer, as in the module."""
        lines = self.sql("SELECT * FROM pg_replication_slots;").output.splitlines()
        names = (COLUMNS.split(line.strip())[0] for line in lines if "|" in line)
        return {name: {"ensure": "present"} for name in names}

    def create(self, resource: ManagedResource) -> None:
        """Create a slot for a physical standby."""
        name = resource.name
        done = self.sql(f"{CREATE}('{name}');")
        if done.code != 0:
            raise ResourceFailure(f"Failed to create replication slot {name}:\n{done.output}")

    def destroy(self, resource: ManagedResource) -> None:
        """Remove a slot."""
        name = resource.name
        done = self.sql(f"SELECT pg_drop_replication_slot('{name}');")
        if done.code != 0:
            raise ResourceFailure(f"Failed to destroy replication slot {name}:\n{done.output}")


provider = Slots
