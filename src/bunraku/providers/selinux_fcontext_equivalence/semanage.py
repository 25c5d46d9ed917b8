"""Equivalent paths: read from a file of the policy, changed by semanage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.selinux import Semanage, policy_lines


class Equivalences(Semanage):
    """Knows the local equivalences."""

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the local equivalences."""
        rows = policy_lines(self.host, "file_contexts.subs")
        return {
            path: {"ensure": "present", "target": target[0]} for path, *target in rows if target
        }

    def create(self, resource: ManagedResource) -> None:
        """Add an equivalence."""
        self.semanage("fcontext", "-a", "-e", resource["target"], resource.name)

    def destroy(self, resource: ManagedResource) -> None:
        """Remove an equivalence."""
        self.semanage("fcontext", "-d", "-e", self.get(resource, "target"), resource.name)

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Replace an equivalence; the policy is loaded once, after both steps."""
        current = self.get(resource, "target")
        self.semanage("fcontext", "-N", "-d", "-e", current, resource.name)
        self.semanage("fcontext", "-a", "-e", value, resource.name)


provider = Equivalences
