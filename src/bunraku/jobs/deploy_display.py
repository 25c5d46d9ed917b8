"""The sources of a deployment with their environments, and the modules that these declare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.deployment.credentials import without_credentials
from bunraku.deployment.deploy import Deployer
from bunraku.deployment.environment_sources import EnvironmentSource
from bunraku.deployment.environments import DeclaredEnvironment
from bunraku.deployment.lock_file import kind_of_source
from bunraku.deployment.site_contents import Log
from bunraku.jobs.deploy import Deployment, DeployOptions, DeployResult
from bunraku.project.declared_modules import DeclaredModule
from bunraku.project.missing import asked_for


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


def sources_data(found: DisplayedSources) -> dict[str, Any]:
    """Return the sources for programs."""
    return {
        "schema": 1,
        "sources": [
            {
                "name": source.name,
                "kind": source.kind,
                "remote": without_credentials(source.remote),
                "basedir": source.basedir,
                "environments": [environment_data(found, one) for one in environments],
            }
            for source, environments in found.sources
        ],
    }


def environment_data(found: DisplayedSources, one: DeclaredEnvironment) -> dict[str, Any]:
    """Return an environment for programs."""
    data = {"name": one.directory_name, "ref": one.ref, "path": one.path}
    return data if found.modules is None else {**data, "modules": modules_data(found, one)}


def modules_data(found: DisplayedSources, environment: DeclaredEnvironment) -> list[dict[str, str]]:
    """Return the modules of an environment as they are declared; none if they were not asked for."""
    return [
        {"name": one.title, "kind": kind_of_source(one) or "local", "asked": asked_for(one)}
        for one in (found.modules or {}).get(environment.path, ())
    ]
