"""Rich rules of zones and policies."""

from __future__ import annotations

from bunraku.providers.firewalld import FirewallCommand, place_option
from bunraku.providers.firewalld_rich_rule.text import rule_text
from bunraku.providers.managed_resource import ManagedResource


class RichRules(FirewallCommand):
    """Reads and changes rich rules."""

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the zone or policy has the rule."""
        done = self.query("--query-rich-rule", rule_text(resource), place=place_option(resource))
        return done.code == 0

    def create(self, resource: ManagedResource) -> None:
        """Add the rule."""
        self.change("--add-rich-rule", rule_text(resource), place=place_option(resource))

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the rule."""
        self.change("--remove-rich-rule", rule_text(resource), place=place_option(resource))


provider = RichRules
