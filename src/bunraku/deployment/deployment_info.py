"""The file ``.r10k-deploy.json``, in which r10k and bunraku say what is deployed in an environment."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping

from bunraku.base.file_reading import read_whole
from bunraku.base.lazy_typing import Any
from bunraku.deployment.environment_plan import EnvironmentPlan, relative_to
from bunraku.deployment.layers import DEPLOYMENT_INFO
from bunraku.project.declared_modules import LocalModule

LOCAL_VERSION = "0.0.0 (local)"
"""What r10k writes as the version of a local module."""


def deployment_info(plan: EnvironmentPlan, started: float, *, success: bool) -> dict[str, Any]:
    """Return what r10k writes about a deployment."""
    layers = {layer.directory: layer for layer in plan.layers}
    modules = []
    for module in plan.declared:
        directory = relative_to(plan.environment, module.directory)
        layer = layers.get(directory)
        is_frozen = directory in plan.frozen  # r10k does not look at such a module
        local = isinstance(module.source, LocalModule)
        modules.append(
            {
                "name": module.name,
                "version": LOCAL_VERSION if local else layer.version if layer else None,
                "sha": None if layer is None or is_frozen else layer.revision or None,
            }
        )
    return {
        "name": plan.environment.name,
        "signature": plan.signature,
        "started_at": ruby_time(started),
        "finished_at": ruby_time(time.time()),
        "deploy_success": success,
        "module_deploys": modules,
    }


def json_info(info: Mapping[str, Any]) -> bytes:
    """Return the content of ``.r10k-deploy.json``."""
    return (json.dumps(info, indent=2) + "\n").encode("utf-8", "surrogateescape")


def kept_info(root: str) -> dict[str, bytes]:
    """Return the record of the last deployment as it is on the disk; nothing if there is none."""
    try:
        return {DEPLOYMENT_INFO: read_whole(f"{root}/{DEPLOYMENT_INFO}")}
    except FileNotFoundError:
        return {}


def ruby_time(seconds: float) -> str:
    """Return a time as Ruby writes it, in the zone of this machine."""
    return time.strftime("%Y-%m-%d %H:%M:%S %z", time.localtime(seconds))
