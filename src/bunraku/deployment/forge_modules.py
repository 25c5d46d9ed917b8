"""Modules of a Forge, as :mod:`bunraku.deployment.contents` fetches them."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.deployment.credentials import without_credentials
from bunraku.deployment.releases import Release
from bunraku.world import linked_files

if TYPE_CHECKING:
    from bunraku.deployment.forge import Forge

PUPPET_FORGE = "https://forgeapi.puppet.com"
"""The Forge of Puppet, which r10k uses without ``forge.baseurl``."""
DEPRECATED = (
    "Puppet Forge module '{slug}' has been deprecated, visit https://forge.puppet.com/{path} for more"
    " information."
)


class ForgeModules:
    """Releases of one Forge; it is asked, and its client loaded, only if something is needed."""

    def __init__(
        self,
        url: str,
        *,
        cache: str,
        token: str = "",
        proxy: str = "",
        offline: bool = False,
        log: Callable[[str, str], None] = lambda _level, _text: None,
    ) -> None:
        self.address = url or PUPPET_FORGE
        self.cache = cache
        self.token = token
        self.proxy = proxy
        self.offline = offline
        self.log = log

    @property
    def url(self) -> str:
        """The address of the Forge, without credentials."""
        return without_credentials(self.address).rstrip("/")

    @cached_property
    def forge(self) -> Forge:
        """The client of the Forge."""
        from bunraku.deployment.forge import Forge
        from bunraku.deployment.forge_connection import ForgeConnection
        from bunraku.web.proxies import network_of
        from bunraku.web.requests import DIRECT

        variables = {**os.environ, "http_proxy": self.proxy, "HTTP_PROXY": self.proxy}
        network = network_of({}, variables) if self.proxy else DIRECT
        connection = ForgeConnection(self.address, token=self.token, network=network)
        return Forge(connection, cache=self.cache, offline=self.offline, warn=self.warn)

    def close(self) -> None:
        """Close the connections to the Forge, if it was asked."""
        if "forge" in self.__dict__:
            self.forge.close()

    def warn(self, finding: Diagnostic) -> None:
        """Report a release that cannot be used."""
        self.log("warn", finding.message)

    def newest(self, slug: str) -> str:
        """Return the newest version of a module. Raise PuppetError."""
        return self.forge.newest(slug).version

    def releases(self, slug: str) -> tuple[Release, ...]:
        """Return all releases of a module, the highest first; none for an unknown one. Raise PuppetError."""
        return self.forge.releases(slug)

    def release(self, slug: str, version: str) -> Release:
        """Return one release. Raise PuppetError."""
        return self.forge.release(slug, version)

    def digest(self, slug: str, version: str) -> str:
        """Return the digest of the archive of a release, after its kind. Raise PuppetError."""
        return ":".join(self.forge.digest_of(self.forge.release(slug, version)))

    def unpack(self, slug: str, version: str, directory: str) -> None:
        """Write the files of a release to a directory. Raise PuppetError."""
        from bunraku.deployment.archives import unpack

        release = self.forge.release(slug, version)
        if release.deprecated or (not self.offline and self.forge.newest(slug).deprecated):
            self.log("warn", DEPRECATED.format(slug=slug, path=slug.replace("-", "/", 1)))
        archive = self.forge.archive(release)
        with linked_files.replaced_directory(directory):
            unpack(archive, directory)
