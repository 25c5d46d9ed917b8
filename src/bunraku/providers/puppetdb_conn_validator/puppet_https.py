"""The provider of ``puppetdb_conn_validator``: it asks the server until it answers."""

from __future__ import annotations

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file.web_sources import WebFiles
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.types.ruby_semantics.values import to_s

PAUSE = 2.0
"""The seconds between two attempts."""
ACCEPTED = {"Accept": "application/json"}


def server(resource: ManagedResource) -> str:
    """Return the address and the port of the server."""
    return f"{to_s(resource['puppetdb_server'])}:{to_s(resource['puppetdb_port'])}"


class PuppetHttps(Provider):
    """Asks the server; the name is that of Puppet's provider."""

    name = "puppet_https"

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the server answers within the time limit."""
        begin, limit = self.host.monotonic(), resource["timeout"]
        while not (success := self.answers(resource)):
            if self.host.monotonic() - begin >= limit:
                break
            self.run.log("notice", "Failed to connect to puppetdb; sleeping 2 seconds before retry")
            self.host.sleep(PAUSE)
        if not success:
            text = f"within timeout window of {limit} seconds; giving up."
            self.run.log("notice", f"Failed to connect to puppetdb {text}")
        return success

    def answers(self, resource: ManagedResource) -> bool:
        """Return whether the server answers, with any status."""
        scheme = "https" if resource["use_ssl"] not in (False, None) else "http"
        place = f"{scheme}://{server(resource)}"
        files = WebFiles(self.host, self.run.web)
        try:
            with files.answer(f"{place}{to_s(resource['test_url'])}", "GET", ACCEPTED):
                return True
        except OSError as error:
            reason = error.strerror or error
            self.run.log("notice", f"Unable to connect to puppetdb server ({place}): {reason}")
            return False

    def create(self, resource: ManagedResource) -> None:
        """Raise ResourceFailure: the server does not answer."""
        raise ResourceFailure(f"Unable to connect to puppetdb server! ({server(resource)})")


provider = PuppetHttps
