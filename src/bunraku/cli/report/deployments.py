"""Deployments for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bunraku.base.errors import PuppetError
from bunraku.base.excerpt import visible
from bunraku.cli.output.output import write
from bunraku.deployment.credentials import without_credentials
from bunraku.deployment.deploy import EnvironmentResult
from bunraku.deployment.deployed import Deployed
from bunraku.formats.json import clean_json_text
from bunraku.jobs.deploy import DeployResult, EnvironmentStatus
from bunraku.jobs.deploy_data import deployment_time, failure_data
from bunraku.jobs.deploy_display import DisplayedSources, modules_data

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
