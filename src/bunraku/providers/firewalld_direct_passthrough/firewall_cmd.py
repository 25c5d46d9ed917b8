"""Direct passthroughs of firewalld."""

from __future__ import annotations

from bunraku.providers.firewalld import FirewallCommand
from bunraku.providers.firewalld_places import direct_words
from bunraku.providers.managed_resource import ManagedResource


class DirectPassthroughs(FirewallCommand):
    """Reads and changes direct passthroughs."""

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the passthrough exists."""
        return (
            "yes" in self.query("--direct", "--query-passthrough", *direct_words(resource)).output
        )

    def create(self, resource: ManagedResource) -> None:
        """Add the passthrough."""
        self.change("--direct", "--add-passthrough", *direct_words(resource))

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the passthrough."""
        self.change("--direct", "--remove-passthrough", *direct_words(resource))


provider = DirectPassthroughs
