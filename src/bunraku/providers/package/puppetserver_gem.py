"""Ruby packages of the JRuby of Puppet Server."""

from __future__ import annotations

from typing import Any, ClassVar

from bunraku.formats.hocon import HoconError, parse_hocon
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.gem import Gem, gems_of, source_words
from bunraku.providers.package.provider import flags, version_of
from bunraku.providers.package.puppet_gem import AGENT_GEM_FEATURES, GEM
from bunraku.providers.package.targeted import with_error
from bunraku.providers.provider import Provider, State

SERVER = "/opt/puppetlabs/bin/puppetserver"
SETTINGS = "/etc/puppetlabs/puppetserver/puppetserver.conf"
ENTERPRISE_SETTINGS = "/etc/puppetlabs/puppetserver/conf.d/pe-puppet-server.conf"
ENTERPRISE_VERSION = "/opt/puppetlabs/server/pe_version"
HOME = "/opt/puppetlabs/server/data/puppetserver/jruby-gems"
PLACES = (
    HOME,
    "/opt/puppetlabs/server/data/puppetserver/vendored-jruby-gems",
    "/opt/puppetlabs/puppet/lib/ruby/vendor_gems",
)


class PuppetserverGem(Gem):
    """Installs gems with ``puppetserver gem``; the agent's ``gem``, which is faster, lists them."""

    name = "puppetserver_gem"
    programs: ClassVar[tuple[str, ...]] = (SERVER,)
    commands: ClassVar[tuple[str, ...]] = (SERVER,)
    features: ClassVar[frozenset[str]] = AGENT_GEM_FEATURES

    def suitable(self) -> bool:
        """Return whether Puppet Server is installed."""
        return Provider.suitable(self)

    # -- states ----------------------------------------------------------------------------------

    def places(self) -> tuple[str, str]:
        """Return the directory for gems and the search path, from the server's settings."""
        enterprise = self.host.is_file(ENTERPRISE_VERSION)
        path = ENTERPRISE_SETTINGS if enterprise else SETTINGS
        settings: Any = {}
        if self.host.is_file(path):
            try:
                settings = parse_hocon(self.host.read(path).decode("utf-8", "replace"))
            except HoconError as error:
                raise ResourceFailure(f"Could not parse {path}: {error}") from None
        found: Any = settings.get("jruby-puppet") if isinstance(settings, dict) else None
        chosen: dict[str, Any] = found if isinstance(found, dict) else {}
        return str(chosen.get("gem-home", HOME)), ":".join(chosen.get("gem-path", PLACES))

    def installed(self, command: str) -> dict[str, State]:
        """Return the gems of the server; those that come with Ruby do not count."""
        home, path = self.places()
        usual = self.variables
        self.variables = {**usual, "GEM_HOME": home, "GEM_PATH": path}
        try:
            lines = self.execute(GEM, "list", "--local").output.splitlines()
        finally:
            self.variables = usual
        return gems_of("\n".join(line for line in lines if " (default: " not in line))

    def listed(self, command: str, *options: str) -> dict[str, State]:
        """Return the gems in the output of ``puppetserver gem list``."""
        try:
            return gems_of(self.execute(command, "gem", "list", *options).output)
        except ResourceFailure as error:
            raise ResourceFailure(f"Could not list gems: {error}") from None

    # -- changes ---------------------------------------------------------------------------------

    def install(self, resource: ManagedResource) -> None:
        """Install a gem, in the wanted version if there is one."""
        version = version_of(resource)
        chosen = [] if version is None else ["-v", version]
        options = flags(resource["install_options"])
        words = (*options, *chosen, "--no-document", *source_words(resource))
        with_error(self.execute(SERVER, "gem", "install", *words).output, "install")

    def uninstall(self, resource: ManagedResource) -> None:
        """Remove all versions of a gem, with its programs."""
        options = flags(resource["uninstall_options"])
        words = ("--executables", "--all", resource.name, *options)
        with_error(self.execute(SERVER, "gem", "uninstall", *words).output, "uninstall")


provider = PuppetserverGem
