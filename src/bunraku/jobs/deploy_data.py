"""What became of a deployment, for programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.jobs.deploy import DeployResult


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
