"""Databases of the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.mysql_client import MysqlProvider, quoted_identifier
from bunraku.providers.provider import State

QUERY = (
    "SELECT SCHEMA_NAME, DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME "
    "FROM information_schema.SCHEMATA"
)


class Databases(MysqlProvider):
    """Reads all databases with one query."""

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the databases that root can see."""
        rows = (line.split("\t") for line in self.rows(QUERY))
        return {
            name: {"ensure": "present", "charset": charset, "collate": collate}
            for name, charset, collate in rows
        }

    def create(self, resource: ManagedResource) -> None:
        """Create a database."""
        charset, collate = (
            quoted_identifier(resource["charset"]),
            quoted_identifier(resource["collate"]),
        )
        what = f"create database if not exists {quoted_identifier(resource.name)}"
        self.rows(f"{what} character set {charset} collate {collate}")

    def destroy(self, resource: ManagedResource) -> None:
        """Remove a database."""
        self.rows(f"drop database if exists {quoted_identifier(resource.name)}")

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change the character set or the collation for new tables."""
        word = "CHARACTER SET" if name == "charset" else "COLLATE"
        self.rows(f"alter database {quoted_identifier(resource.name)} {word} {value}")


provider = Databases
