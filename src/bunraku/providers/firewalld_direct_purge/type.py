"""The resource type ``firewalld_direct_purge``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.firewalld_direct_purge.firewall_cmd import DirectPurges
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import Reference, ResourceType


class Purged(Ensure):
    """Whether there was something to remove."""

    def retrieve(self, resource: ManagedResource) -> Any:
        """Return ``purgable`` if something was removed before the run."""
        assert isinstance(resource.provider, DirectPurges)
        return "purgable" if resource.name in resource.provider.removed else "purged"

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Leave the removal, which happened before the run."""


class FirewalldDirectPurge(ResourceType):
    """The removal of direct chains, rules or passthroughs that the catalog lacks."""

    name = "firewalld_direct_purge"
    module = "puppet-firewalld 5.1"
    providers = ("firewall_cmd",)
    attributes = (
        Purged(("purgable", "purged"), default="purged", about="`purged` removes them."),
        Parameter(
            "purge", words=("true", "false"), default="true", about="Without effect in the module."
        ),
        Parameter("name", words=("chain", "passthrough", "rule"), about="What is removed."),
        Parameter("provider"),
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the service."""
        yield "service", "firewalld"

    def generate(self, resource: ManagedResource) -> list[ManagedResource]:
        """Remove what the catalog lacks; no resource is added."""
        resource.resolve_deferred()
        assert isinstance(resource.provider, DirectPurges)
        resource.provider.purge(resource)
        return []


resource_type = FirewalldDirectPurge
