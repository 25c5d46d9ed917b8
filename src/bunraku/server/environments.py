"""The environments of the server: ``/puppet/v3/environments``."""

from __future__ import annotations

import json
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.modules.settings import duration
from bunraku.server.authorization.rules import Caller
from bunraku.server.service import Service
from bunraku.server.settings import Settings
from bunraku.web.http import JSON_TYPE, Request, Response

INTERNAL = "data:text/plain,internal"
"""How Puppet names the place of environments that have no directory."""


def answer_environments(
    service: Service, _request: Request, _rest: str, _caller: Caller
) -> Response:
    """Return the environments with their settings."""
    settings = service.settings
    found = {}
    for name in settings.environments():
        try:
            found[name] = {"settings": values_of(settings, name)}
        except PuppetError as error:
            service.log("err", f"Environment {name}: {error}")
    paths = [*[f"file://{path}" for path in settings.environmentpath], INTERNAL]
    text = json.dumps({"search_paths": paths, "environments": found}, separators=(",", ":"))
    return Response(200, {"content-type": JSON_TYPE}, [text])


def values_of(settings: Settings, name: str) -> dict[str, Any]:
    """Return the settings of an environment that clients see."""
    values = settings.values
    environment = settings.environment(name)
    timeout = environment.timeout or str(values["environment_timeout"])
    return {
        "modulepath": list(environment.modulepath),
        "manifest": environment.manifest or "",
        "environment_timeout": timeout if timeout == "unlimited" else duration(timeout),
        "config_version": environment.config_version or "",
    }
