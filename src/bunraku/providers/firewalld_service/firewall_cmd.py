"""Services of zones and policies."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.providers.firewalld import FirewallCommand, place_option
from bunraku.providers.managed_resource import ManagedResource
from bunraku.types.ruby_semantics.values import to_s


class Services(FirewallCommand):
    """Reads and changes services."""

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Raise ResourceFailure if firewalld cannot list services; each one is read when it is compared."""
        self.output("--get-services")

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the zone or policy has the service."""
        found = self.output("--list-services", place=place_option(resource)).split()
        return to_s(resource["service"]) in found

    def create(self, resource: ManagedResource) -> None:
        """Add the service."""
        self.change("--add-service", to_s(resource["service"]), place=place_option(resource))
        self.reload()

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the service."""
        option = "--remove-service" if self.is_online() else "--remove-service-from-zone"
        self.change(option, to_s(resource["service"]), place=place_option(resource))
        self.reload()


provider = Services
