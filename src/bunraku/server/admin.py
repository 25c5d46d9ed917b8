"""The administration of the server: ``/puppet-admin-api/v1``."""

from __future__ import annotations

from bunraku.server.service import Service
from bunraku.web.http import TEXT_TYPE, Request, Response


def answer_cache(service: Service, request: Request, _rest: str) -> Response:
    """Empty the caches of all environments.

    Puppet empties those of one environment if the query names it; here they are common to all.
    """
    if request.method != "DELETE":
        return Response(
            405, {"allow": "DELETE", "content-type": TEXT_TYPE}, ["Method not allowed."]
        )
    service.flushes.add()
    return Response(204, {}, [])
