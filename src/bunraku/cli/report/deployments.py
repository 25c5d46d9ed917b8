"""Deployments for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.excerpt import visible
from bunraku.cli.output.output import write
from bunraku.deployment.credentials import without_credentials
from bunraku.deployment.deploy import EnvironmentResult
from bunraku.deployment.deployed import Deployed
from bunraku.deployment.environments import DeclaredEnvironment
from bunraku.deployment.lock_file import kind_of_source
from bunraku.formats.json import clean_json_text
from bunraku.jobs.deploy import DeployResult, EnvironmentStatus
from bunraku.jobs.deploy_data import failure_data
from bunraku.jobs.deploy_display import DisplayedSources
from bunraku.project.missing import asked_for

MOST = 5


@contextmanager
def errors_as_data(output: str) -> Iterator[None]:
    """Print the errors that end a command as data, if ``output`` is ``json``; they are raised again."""
    try:
        yield
    except PuppetError as error:
        if output == "json":
            write(clean_json_text(failure_data(error)))
        raise


def result_text(result: DeployResult) -> str:
    """Return a line for each environment, and one about all."""
    rows = [(one.environment.directory_name, outcome(one)) for one in result.environments]
    width = max((len(name) for name, _text in rows), default=0)
    lines = [f"{name:{width}}  {text}" for name, text in rows]
    lines += [f"{path}: removed, no source declares it" for path in result.removed]
    failed = sum(1 for one in result.environments if one.errors)
    changed = sum(1 for one in result.environments if one.changed)
    total = len(result.environments)
    word = "environment" if total == 1 else "environments"
    failures = f", {failed} failed and left as it was" if failed == 1 else ""
    failures = f", {failed} failed and left as they were" if failed > 1 else failures
    lines.append(
        f"{total} {word}: {changed} deployed, {total - changed - failed} unchanged{failures}"
    )
    return "".join(f"{visible(line)}\n" for line in lines)


def outcome(one: EnvironmentResult) -> str:
    """Return what became of an environment, in words."""
    if one.errors:
        count = sum(len(list(error)) for error in one.errors)
        return f"failed: {count} {'error' if count == 1 else 'errors'}"
    if not one.changed:
        return "unchanged"
    text = "new" if one.was_absent else "deployed"
    if one.update is not None:
        changed, removed = len(one.update.changed), len(one.update.removed)
        text += f", {changed} {'file' if changed == 1 else 'files'} written"
        text += f", {removed} removed" if removed else ""
    if one.modules and not one.was_absent:
        more = ", …" if len(one.modules) > MOST else ""
        text += f" (modules: {', '.join(one.modules[:MOST])}{more})"
    return text


def sources_text(found: DisplayedSources) -> str:
    """Return the sources with their environments."""
    lines = []
    for source, environments in found.sources:
        remote = without_credentials(source.remote)
        lines.append(f"{source.name}: {remote or source.kind} in {source.basedir}")
        for environment in environments:
            ref = environment.ref
            branch = f" ({ref})" if ref and ref != environment.directory_name else ""
            lines.append(f"  {environment.directory_name}{branch}")
            lines += [
                f"    {one['name']}  {' '.join(dict.fromkeys([one['kind'], one['asked'] or 'any']))}"
                for one in modules_data(found, environment)
            ]
    return "".join(f"{visible(line)}\n" for line in lines)


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


def status_text(environments: Sequence[EnvironmentStatus]) -> str:
    """Return what is deployed, newest deployment first."""
    lines = []
    for one in environments:
        if one.live is None:
            lines.append(f"{one.name}: not deployed by bunraku")
            continue
        lines.append(f"{one.name}: {deployment_text(one.live)}")
        lines += [f"  edited since: {path}" for path in one.edited]
        lines += [f"  missing: {path}" for path in one.missing]
        older = [item for item in one.deployments if item.number < one.live.number]
        lines += [f"  before: {deployment_text(item)}" for item in reversed(older)]
    return "".join(f"{visible(line)}\n" for line in lines)


def deployment_text(one: Deployed) -> str:
    """Return a deployment in words."""
    modules = sum(1 for layer in one.layers if layer.directory)
    word = "module" if modules == 1 else "modules"
    return f"{one.number}, {deployment_time(one)}, {one.signature[:12]}, {modules} {word}"


def deployment_time(one: Deployed) -> str:
    """Return the time of a deployment in the zone of this machine."""
    return datetime.fromtimestamp(one.time).astimezone().isoformat(" ", "seconds")


def status_data(environments: Sequence[EnvironmentStatus]) -> dict[str, Any]:
    """Return what is deployed for programs."""
    return {
        "schema": 1,
        "environments": [
            {
                "name": one.name,
                "path": one.path,
                "live": one.live.number if one.live else None,
                "edited": list(one.edited),
                "missing": list(one.missing),
                "deployments": [
                    {
                        "number": item.number,
                        "time": deployment_time(item),
                        "signature": item.signature,
                        "modules": {
                            layer.name: layer.revision or layer.version
                            for layer in item.layers
                            if layer.directory
                        },
                    }
                    for item in one.deployments
                ],
            }
            for one in environments
        ],
    }
