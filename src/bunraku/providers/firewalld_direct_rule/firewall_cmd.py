"""Direct rules of firewalld."""

from __future__ import annotations

from bunraku.providers.firewalld import FirewallCommand
from bunraku.providers.firewalld_places import direct_words
from bunraku.providers.managed_resource import ManagedResource


class DirectRules(FirewallCommand):
    """Reads and changes direct rules."""

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the rule exists."""
        return "yes" in self.query("--direct", "--query-rule", *direct_words(resource)).output

    def create(self, resource: ManagedResource) -> None:
        """Add the rule."""
        self.change("--direct", "--add-rule", *direct_words(resource))

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the rule."""
        self.change("--direct", "--remove-rule", *direct_words(resource))


provider = DirectRules
