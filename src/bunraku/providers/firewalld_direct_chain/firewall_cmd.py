"""Direct chains of firewalld."""

from __future__ import annotations

from bunraku.providers.firewalld import FirewallCommand
from bunraku.providers.firewalld_places import direct_words
from bunraku.providers.managed_resource import ManagedResource


class DirectChains(FirewallCommand):
    """Reads and changes direct chains."""

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the chain exists."""
        return "yes" in self.query("--direct", "--query-chain", *direct_words(resource)).output

    def create(self, resource: ManagedResource) -> None:
        """Add the chain."""
        self.change("--direct", "--add-chain", *direct_words(resource))

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the chain."""
        self.change("--direct", "--remove-chain", *direct_words(resource))


provider = DirectChains
