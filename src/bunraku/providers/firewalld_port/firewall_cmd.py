"""Ports of zones and policies."""

from __future__ import annotations

from bunraku.providers.firewalld import FirewallCommand, place_option
from bunraku.providers.managed_resource import ManagedResource
from bunraku.types.ruby_semantics.values import to_s


class Ports(FirewallCommand):
    """Reads and changes ports."""

    def port(self, resource: ManagedResource) -> str:
        """Return the port with its protocol."""
        return f"{to_s(resource['port'])}/{to_s(resource['protocol'])}"

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the port is open."""
        done = self.query("--query-port", self.port(resource), place=place_option(resource))
        return done.code == 0

    def create(self, resource: ManagedResource) -> None:
        """Open the port."""
        self.change("--add-port", self.port(resource), place=place_option(resource))

    def destroy(self, resource: ManagedResource) -> None:
        """Close the port."""
        self.change("--remove-port", self.port(resource), place=place_option(resource))


provider = Ports
