"""Ends a run after an update of Puppet's agent."""

from __future__ import annotations

import re
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.provider import PackageProvider
from bunraku.providers.provider import Provider

VERSION_FILE = "/opt/puppetlabs/puppet/VERSION"
"""The file of the package puppet-agent with its version (the fact ``aio_agent_version``)."""
VERSION = re.compile(r"^(?:[0-9]:)?(\d+\.\d+(?:\.\d+)?(?:\.\d+))?", re.MULTILINE)


class EndOfRun(Provider):
    """Compares the version of the agent at the beginning of the run with the wanted one."""

    name = "puppet_agent_end_run"

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.current = self.host.environment_variable("FACTER_aio_agent_version")
        if self.current is None and self.host.is_file(VERSION_FILE):
            self.current = self.host.read(VERSION_FILE).decode("utf-8", "replace").strip()

    def suitable(self) -> bool:
        """Return True: every machine can end a run."""
        return True

    def stop(self, resource: ManagedResource) -> None:
        """End the run if the agent has another version than the wanted one."""
        if not self.needs_update(resource):
            return
        if self.run.settings.get("onetime") or self.run.file_server is None:
            self.run.log(
                "notice",
                "Stopping run after puppet-agent upgrade. Run puppet agent -t or apply your "
                "manifest again to finish the transaction.",
            )
        self.run.is_stopping = True

    def needs_update(self, resource: ManagedResource) -> bool:
        """Return whether the agent has another version than the wanted one."""
        wanted = resource.name
        if wanted == "present":
            return False
        if wanted == "latest":
            wanted = self.latest()
        if self.current is None:
            raise ResourceFailure("undefined method `scan' for nil:NilClass")
        return wanted.lower() != self.current.lower()  # all that makes two versions differ

    def latest(self) -> str:
        """Return the latest version of the package puppet-agent."""
        package = self.run.find("package", "puppet-agent")
        if package is None or not isinstance(package.provider, PackageProvider):
            raise ResourceFailure("the catalog has no package puppet-agent with a latest version")
        found = VERSION.search(str(package.provider.latest(package)))
        return (found[1] if found is not None else None) or ""


provider = EndOfRun
