"""The provider ``dummy`` of ``vcsrepo``: it reports that a resource names no provider."""

from __future__ import annotations

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.vcsrepo.repository import Repositories

OTHERS = "bzr, cvs, git, hg, p4, svn"


class Dummy(Repositories):
    """The default provider, which manages nothing."""

    name = "dummy"

    def has_working_copy(self, resource: ManagedResource) -> bool:
        """Raise ResourceFailure: the resource must name a provider."""
        raise ResourceFailure(f"vcsrepo resource must have a provider, available: {OTHERS}")


provider = Dummy
