"""The administration of the server: ``/puppet-admin-api/v1``."""

from __future__ import annotations

from bunraku.server.service import Service
from bunraku.web.http import TEXT_TYPE, Request, Response


def answer_cache(service: Service, request: Request, _rest: str) -> Response:
    """Empty the caches of the environment that the query names, or of all."""
    if request.method != "DELETE":
        return Response(
            405, {"allow": "DELETE", "content-type": TEXT_TYPE}, ["Method not allowed."]
        )
    name = request.parameters.get("environment")
    if name is None or service.settings.has_environment(name):
        service.flushes.add(name)
    return Response(204, {}, [])
