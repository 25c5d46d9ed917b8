"""Ruby packages of the agent's own Ruby."""

from __future__ import annotations

from typing import ClassVar

from bunraku.providers.package.gem import Gem
from bunraku.providers.package.provider import COMMON_FEATURES
from bunraku.providers.provider import Provider
from bunraku.providers.run import Run

GEM = "/opt/puppetlabs/puppet/bin/gem"
VERSION = "/opt/puppetlabs/puppet/VERSION"
"""The file with the version of the agent's package."""
LIBRARIES = "/opt/puppetlabs/puppet/lib/pkgconfig"
AGENT_GEM_FEATURES = COMMON_FEATURES | {"versionable", "install_options", "uninstall_options"}


class PuppetGem(Gem):
    """Installs gems for the Ruby of the package ``puppet-agent`` or ``openvox-agent``."""

    name = "puppet_gem"
    programs: ClassVar[tuple[str, ...]] = (GEM,)
    commands: ClassVar[tuple[str, ...]] = (GEM,)
    features: ClassVar[frozenset[str]] = AGENT_GEM_FEATURES

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.variables["PKG_CONFIG_PATH"] = LIBRARIES

    def suitable(self) -> bool:
        """Return whether the agent's package is installed."""
        return Provider.suitable(self) and self.host.is_file(VERSION)


provider = PuppetGem
