"""The sources of a deployment with their environments and the states of these, as r10k knows them."""

from __future__ import annotations

import os
from collections.abc import Mapping

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_typing import Any
from bunraku.deployment import issues
from bunraku.deployment.credentials import without_password
from bunraku.deployment.deployed import DeploymentState
from bunraku.deployment.environment_declarations import environments_of_source
from bunraku.deployment.environment_names import folded_name
from bunraku.deployment.environment_sources import EnvironmentSource, refuse_collisions
from bunraku.deployment.environments import DeclaredEnvironment
from bunraku.deployment.git_cache import GitCache
from bunraku.deployment.site_contents import Log
from bunraku.deployment.update import update_of
from bunraku.formats.yaml import Symbol
from bunraku.jobs.deploy import Deployment, DeployOptions, module_of_arguments


def displayed_sources(options: DeployOptions, log: Log, *, detail: bool) -> list[dict[str, Any]]:
    """Return the sources as r10k displays them; remotes are not asked if the options say offline."""
    site = Deployment(options, log)
    wanted = {folded_name(name) for name in options.environments}
    found = []
    everything: list[DeclaredEnvironment] = []
    for source in site.sources:
        declared = environments_of_source(
            source,
            lambda remote: known_branches(site.git, remote),
            module_of_arguments,
            site.git.directory,
        )
        for problem in declared.problems:
            log(problem.level, problem.message)
        everything += declared.environments
        chosen = [one for one in declared.environments if not wanted or one.name in wanted]
        shown: list[Any] = [one.directory_name for one in chosen]
        if detail:
            shown = [described(site, one) for one in chosen]
        found.append({**source_fields(source), "environments": shown})
    if not options.offline:
        refuse_collisions(everything)
    return found


def known_branches(git: GitCache, remote: str) -> Mapping[str, str]:
    """Return the branches of a remote; none if it must not be asked and never was."""
    if git.offline:
        refs = git.cached_refs(remote)
        return refs.branches if refs is not None else {}
    return git.branches(remote)


def source_fields(source: EnvironmentSource) -> dict[str, Any]:
    """Return what is shown of a source itself."""
    fields: dict[str, Any] = {"name": Symbol(source.name), "basedir": source.basedir}
    if source.prefix:
        fields["prefix"] = source.prefix
    if source.kind in {"git", "svn"}:
        fields["remote"] = without_password(source.remote)
    return fields


def described(site: Deployment, environment: DeclaredEnvironment) -> dict[str, Any]:
    """Return the name, the deployed commit and the state of an environment."""
    if environment.kind == "plain":
        state, signature = "not_applicable", "plain-default"
    else:
        state, signature = status_of_environment(site, environment)
    return {"name": environment.name, "signature": signature or None, "status": Symbol(state)}


def status_of_environment(site: Deployment, environment: DeclaredEnvironment) -> tuple[str, str]:
    """Return r10k's word for the state of an environment, and the deployed commit."""
    if not os.path.isdir(environment.path):
        return "absent", ""
    live = DeploymentState(environment.basedir, site.store).live(environment.directory_name)
    if live is None:
        return "mismatched", ""
    if update_of(environment.path, live.layers, live.layers).edited:
        return "dirty", live.signature
    try:
        wanted = site.git.resolve(environment.remote, environment.ref)
    except PuppetError as error:
        if not error.is_a(issues.OFFLINE):
            raise
        return "outdated", live.signature
    refs = site.git.cached_refs(environment.remote)
    is_branch = refs is not None and environment.ref in refs.branches
    if wanted != live.signature or (is_branch and site.options.offline):
        return "outdated", live.signature
    return "insync", live.signature
