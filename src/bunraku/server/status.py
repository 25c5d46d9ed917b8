"""Whether the server works: the routes below ``/status/v1``."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from bunraku.puppetdb.server.status import process_metrics, status_document
from bunraku.server.failures import compact
from bunraku.server.service import Service
from bunraku.web.http import JSON_TYPE, Document, Request, Response, text_response

Level: TypeAlias = Literal["critical", "info", "debug"]
LEVELS: tuple[str, ...] = get_args(Level)
SERVICES = ("ca", "master", "server", "status-service")
"""The names of services under which monitoring finds a puppetserver."""
WITH_ROUTES = frozenset(["master", "server"])
"""The services whose status has the requests of each route."""


def answer_services(service: Service, request: Request, rest: str) -> Response:
    """Return the status of all services, or of one."""
    level = request.parameters.get("level", "info")
    if level not in LEVELS:
        return document({"kind": "data-invalid", "msg": f"Invalid level: :{level}"}, 400)
    found = {name: status_of(service, name, level) for name in SERVICES}
    if not rest:
        return document(found)
    if rest not in found:
        message = f"No status information found for service {rest}"
        return document({"kind": "service-not-found", "msg": message}, 404)
    return document({**found[rest], "service_name": rest})


def answer_simple(_service: Service, _request: Request, rest: str) -> Response:
    """Return the state of a service in one word."""
    if rest and rest not in SERVICES:
        return text_response(404, f"not found: {rest}")
    return text_response(200, "running")


def document(value: Document, status: int = 200) -> Response:
    """Return a JSON document without spaces."""
    return Response(status, {"content-type": JSON_TYPE}, [compact(value)])


def route_metrics(service: Service) -> list[Document]:
    """Return the requests of each route, with times in whole milliseconds."""
    return [
        {
            "route-id": route,
            "count": count.number,
            "mean": round(count.mean),
            "aggregate": round(count.milliseconds),
        }
        for route, count in service.counts.routes().items()
    ]


def status_of(service: Service, name: str, level: str) -> dict[str, Document]:
    """Return the status of a service."""
    details: Document = {}
    if level == "debug" and name == "status-service":
        details = process_metrics()
    if level == "debug" and name in WITH_ROUTES:
        details = {"experimental": {"http-metrics": route_metrics(service)}}
    return status_document(service.settings.version, level, details, "running")
