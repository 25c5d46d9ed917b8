"""The removal of direct chains, rules and passthroughs that the catalog lacks."""

from __future__ import annotations

from bunraku.providers.firewalld import FirewallCommand, split_arguments
from bunraku.providers.firewalld_places import direct_words
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.run import Run


class DirectPurges(FirewallCommand):
    """Removes direct chains, rules and passthroughs."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.removed: set[str] = set()
        """The kinds of which something was removed."""

    def purge(self, resource: ManagedResource) -> None:
        """Remove what the catalog lacks, unless in a noop run."""
        if not self.is_available():
            return
        kind = resource.name
        declared = self.run.of_type(f"firewalld_direct_{kind}")
        known = {" ".join(direct_words(one)) for one in declared}
        for one in self.found(kind):
            if one not in known:
                self.removed.add(kind)
                if not (self.run.settings["noop"] or resource.noop):
                    words = split_arguments(one.split(" "))
                    self.change("--direct", f"--remove-{kind}", *words)

    def found(self, kind: str) -> list[str]:
        """Return what the permanent and the running settings have of a kind."""
        lines: list[str] = []
        for permanent in (True, False):
            text = self.output("--direct", f"--get-all-{kind}s", permanent=permanent)
            lines += text.splitlines()
        return [one for one in dict.fromkeys(lines) if one]


provider = DirectPurges
