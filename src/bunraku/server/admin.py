"""The administration of the server: ``/puppet-admin-api/v1``."""

from __future__ import annotations

from bunraku.puppetdb.timestamps import to_text
from bunraku.server.service import Service
from bunraku.web.http import TEXT_TYPE, Request, Response, json_response, text_response


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


def answer_explanation(service: Service, _request: Request, node: str) -> Response:
    """Return why the last catalog of a node was compiled, or that it was reused, and what it depends on."""
    found = service.counts.explanation(node)
    if found is None:
        return text_response(404, f"No catalog of {node} was requested since the server started.")
    return json_response(
        {
            "node": node,
            "environment": found.environment,
            "time": to_text(int(found.time * 1000)),
            "reused": found.reused,
            "cause": found.cause,
            "reason": found.reason,
            "depends": dict(found.depends),
        }
    )
