"""Plugins of the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.mysql_client import MysqlProvider, text_literal
from bunraku.providers.provider import State


class Plugins(MysqlProvider):
    """Reads all plugins with one query."""

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the plugins; those that the server contains have the library ``NULL``."""
        rows = (line.split("\t") for line in self.rows("show plugins"))
        return {row[0]: {"ensure": "present", "soname": row[3]} for row in rows}

    def create(self, resource: ManagedResource) -> None:
        """Install a plugin; the library has its name unless ``soname`` is set."""
        library = resource["soname"] or f"{resource.name}.so"
        self.rows(f"install plugin {resource.name} soname {text_literal(library)}")

    def destroy(self, resource: ManagedResource) -> None:
        """Remove a plugin."""
        self.rows(f"uninstall plugin {resource.name}")

    def set(self, resource: ManagedResource, name: str, value: str) -> None:
        """Do nothing, as in the module: a plugin cannot move to another library."""


provider = Plugins
