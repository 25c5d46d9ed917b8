"""What became of a deployment, for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.deployment.deployed import Deployed
from bunraku.jobs.deploy import DeployResult, EnvironmentStatus


def result_data(result: DeployResult) -> dict[str, Any]:
    """Return a result for programs."""
    return {
        "schema": 1,
        "environments": [
            {
                "name": one.environment.directory_name,
                "path": one.environment.path,
                "signature": one.deployed.signature if one.deployed else None,
                "outcome": "failed" if one.errors else "deployed" if one.changed else "unchanged",
                "modules": one.modules,
                "written": len(one.update.changed) if one.update else 0,
                "removed": len(one.update.removed) if one.update else 0,
                "errors": list(errors_data(one.errors)),
            }
            for one in result.environments
        ],
        "removed": result.removed,
        "errors": list(errors_data(result.others)),
    }


def failure_data(error: PuppetError) -> dict[str, Any]:
    """Return the errors that end a command for programs."""
    return {"schema": 1, "errors": list(errors_data([error]))}


def errors_data(errors: Iterable[PuppetError]) -> Iterable[dict[str, Any]]:
    """Yield errors for programs."""
    for error in errors:
        for finding in error:
            yield {
                "code": finding.code,
                "message": finding.message,
                "file": finding.file,
                "line": finding.line,
            }


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


def deployment_time(one: Deployed) -> str:
    """Return the time of a deployment in the zone of this machine."""
    return datetime.fromtimestamp(one.time).astimezone().isoformat(" ", "seconds")
