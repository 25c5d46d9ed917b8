"""Deployments that ``bunraku server`` runs: what a push is about, and the deployment itself."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.usage import UsageError
from bunraku.deployment import issues
from bunraku.deployment.environment_names import folded_name
from bunraku.deployment.environment_sources import (
    EnvironmentSource,
    invalid_names,
    read_sources,
    without_ignored,
)
from bunraku.deployment.live_trees import live_code
from bunraku.deployment.r10k_file import r10k_settings, read_settings_file
from bunraku.deployment.site_contents import Log
from bunraku.jobs.deploy import DeployOptions, DeployResult, deploy
from bunraku.jobs.deploy_data import result_data
from bunraku.jobs.flushing import Flushing, check_server_urls, flush_servers
from bunraku.jobs.serving.configuration import log_message
from bunraku.jobs.serving.options import COMMAND
from bunraku.jobs.serving.process import log_line
from bunraku.server.deploying.configuration import DeployConfiguration, read_deploy_configuration
from bunraku.server.deploying.deploys import Deploys
from bunraku.server.deploying.keeper import Deployments, deploy_process
from bunraku.server.deploying.pushes import address_key
from bunraku.server.deploying.queue import Work

UNDECLARED = frozenset({issues.UNKNOWN_ENVIRONMENT.code, issues.UNKNOWN_MODULE.code})
"""Errors for names that nothing declares any more."""


def find_work(path: str, remotes: list[str], branch: str) -> list[Work]:
    """Return what a push to a branch of a repository changes, by the configuration at a path.

    The repository is that of a source in the r10k.yaml, or of an environment or a module that is deployed.
    Raise PuppetError.
    """
    configuration = read_deploy_configuration(path)
    sources = read_sources(r10k_settings(read_settings_file(configuration.r10k), {}))
    keys = frozenset(map(address_key, remotes))
    names = [name for source in sources for name in source_environments(source, keys, branch)]
    modules: dict[str, None] = {}
    for directory in deployed_directories(sources):
        code = live_code(directory)
        for module, remote, version in code.remotes if code is not None else ():
            if address_key(remote) in keys:
                if module:
                    modules[module] = None
                elif version == branch:
                    names.append(os.path.basename(directory))
    works = [Work((folded_name(name),), pushed=True) for name in dict.fromkeys(names)]
    return works + ([Work((), tuple(modules), pushed=True)] if modules else [])


def source_environments(
    source: EnvironmentSource, keys: frozenset[str], branch: str
) -> Iterator[str]:
    """Yield the name of the environment that a source makes of a branch."""
    if source.kind != "git" or address_key(source.remote) not in keys:
        return
    rules = source.rules(invalid_names(source))
    for one in without_ignored(source, [branch], []):
        name = rules.stripped(one)
        if rules.invalid != "error" or rules.is_valid(name):
            yield rules.directory(name)


def deployed_directories(sources: list[EnvironmentSource]) -> Iterator[str]:
    """Yield the directories of environments."""
    for base in sorted({os.path.abspath(source.basedir) for source in sources}):
        with suppress(OSError):
            yield from (f"{base}/{name}" for name in sorted(os.listdir(base)))


def run_work(path: str, work: Work, log: Log) -> Mapping[str, Any]:
    """Deploy, and flush other servers; return the result for programs. Raise PuppetError."""
    configuration = read_deploy_configuration(path)
    options = DeployOptions(
        environments=work.environments,
        modules=True,
        only_modules=work.modules,
        config=configuration.r10k,
    )
    result = deploy(options, log)
    if work.pushed:
        drop_undeclared(result)
    flush_servers(result, flushing_of(configuration), log)
    return {**result_data(result), "whole": result.is_whole}


def drop_undeclared(result: DeployResult) -> None:
    """Drop the errors for what a push has removed: its branch is gone."""
    result.unknown = [one for one in result.unknown if one.diagnostic.code not in UNDECLARED]


def flushing_of(configuration: DeployConfiguration) -> Flushing:
    """Return the servers to flush."""
    tls = configuration.tls
    return Flushing(configuration.flush, tls.authority, tls.certificate, tls.key)


# -- the server ------------------------------------------------------------------------------------


@contextmanager
def deployments_of(path: str | None) -> Iterator[Deployments | None]:
    """Start the process that deploys; yield None without a configuration.

    It reads the configuration at ``path`` itself. This process reads it later, by :func:`deploys_of`, so
    the compile processes that are forked in between do not inherit its secrets.
    """
    if path is None:
        yield None
        return
    path = os.path.abspath(path)
    with deploy_process(partial(find_work, path), partial(run_work, path), log_line) as process:
        yield process


def deploys_of(path: str | None, process: Deployments | None) -> Deploys | None:
    """Return what requests can start, None without a configuration; UsageError for a wrong one."""
    if path is None or process is None:
        return None
    path = os.path.abspath(path)
    try:
        configuration = read_deploy_configuration(path)
        read_sources(r10k_settings(read_settings_file(configuration.r10k), {}))
    except PuppetError as error:
        raise UsageError(f"--deploy-config: {error}", COMMAND) from None
    check_server_urls(configuration.flush, f"--deploy-config: flush in {path}", COMMAND)
    return Deploys(path, configuration, process, log_message)
