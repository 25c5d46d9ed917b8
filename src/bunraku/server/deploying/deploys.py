"""What the routes of deployments work with."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.base.records import record, replace
from bunraku.server.deploying.configuration import DeployConfiguration, read_deploy_configuration
from bunraku.server.deploying.keeper import Deployments


@record(frozen=True)
class Deploys:
    """Deployments that requests can start; ``path`` is that of the configuration."""

    path: str
    configuration: DeployConfiguration
    process: Deployments
    log: Callable[[str, str], None]

    def renewed(self) -> Deploys:
        """Return the same with the secrets of now; PuppetError for a wrong configuration."""
        return replace(self, configuration=read_deploy_configuration(self.path))
