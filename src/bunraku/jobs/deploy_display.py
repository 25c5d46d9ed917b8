"""The sources of a deployment with their environments, and the modules that these declare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.deployment.deploy import Deployer
from bunraku.deployment.environment_sources import EnvironmentSource
from bunraku.deployment.environments import DeclaredEnvironment
from bunraku.deployment.site_contents import Log
from bunraku.jobs.deploy import Deployment, DeployOptions, DeployResult
from bunraku.project.declared_modules import DeclaredModule


@record()
class DisplayedSources:
    """Sources with the environments that were asked for; modules by the paths of environments.

    ``errors`` are unknown names, and Puppetfiles that cannot be read.
    """

    sources: list[tuple[EnvironmentSource, list[DeclaredEnvironment]]]
    modules: Mapping[str, Sequence[DeclaredModule]] | None = None
    errors: list[PuppetError] = field(default_factory=list)


def displayed(options: DeployOptions, log: Log, *, with_modules: bool) -> DisplayedSources:
    """Return the sources. Raise PuppetError for settings that cannot be used."""
    site = Deployment(options, log)
    result = DeployResult()
    chosen = site.chosen(result)
    sources = [
        (one.source, [item for item in one.environments if item in chosen]) for one in site.declared
    ]
    if options.environments:
        sources = [one for one in sources if one[1]]
    found = DisplayedSources(sources, errors=result.unknown)
    if with_modules:
        deployer = Deployer(site.contents, site.rules(), log)
        found.modules = {
            one.path: modules_to_display(deployer, one, found.errors) for one in chosen
        }
    return found


def modules_to_display(
    deployer: Deployer, environment: DeclaredEnvironment, errors: list[PuppetError]
) -> Sequence[DeclaredModule]:
    """Return the modules that an environment declares; errors are noted."""
    try:
        return deployer.modules_of(environment)
    except PuppetError as error:
        errors.append(error)
        return ()
