"""Permissive types: read with one call of semanage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.selinux import Semanage, is_purged


class PermissiveTypes(Semanage):
    """Knows which types are built into the policy; these are never purged."""

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the permissive types; local ones are preferred to those that are built in."""
        found: dict[str, State] = {}
        local = True
        for line in self.semanage("permissive", "--list").splitlines():
            name = line.strip()
            if "Builtin" in line or "Custom" in line:
                local = "Custom" in line
            elif name and (local or name not in found):
                found[name] = {"ensure": "present", "local": local}
        return found

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read all types, and leave the built-in ones when others are purged."""
        super().prefetch(resources)
        for resource in resources:
            if is_purged(resource) and self.state(resource).get("local") is False:
                resource.values["ensure"] = ["present"]

    def create(self, resource: ManagedResource) -> None:
        """Make the type permissive."""
        self.semanage("permissive", "-a", resource.name)

    def destroy(self, resource: ManagedResource) -> None:
        """Let SELinux enforce the policy for the type."""
        self.semanage("permissive", "-d", resource.name)


provider = PermissiveTypes
