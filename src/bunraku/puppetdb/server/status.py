"""Whether the server and its database work: the routes below ``/status/v1``."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.server.access import wrong_type
from bunraku.puppetdb.server.meta import VERSION
from bunraku.puppetdb.server.pages import not_found
from bunraku.puppetdb.server.process import resident_bytes, up_milliseconds
from bunraku.puppetdb.server.service import Service
from bunraku.web.http import Document, Request, Response, json_response, text_response

PREFIX = "/status"
Level: TypeAlias = Literal["critical", "info", "debug"]
LEVELS: tuple[str, ...] = get_args(Level)
OWN, STATUS_SERVICE = "puppetdb-status", "status-service"
STATUS_VERSION = "1.1.1"
SECONDS = 5.0
"""The time after which a database that does not answer counts as down."""


def answer_status(service: Service, request: Request) -> Response:
    """Return the response to a request below ``/status``."""
    parts = request.path.removeprefix(f"{PREFIX}/v1/").split("/")
    if parts[0] == "simple" and len(parts) <= 2:
        return simple(service, parts[1] if len(parts) == 2 else OWN)
    if parts[0] != "services" or len(parts) > 2:
        return not_found(request.path)
    refusal = wrong_type(request)
    if refusal is not None:
        return refusal
    level = request.parameters.get("level", "info")
    if level not in LEVELS:
        return json_response({"kind": "data-invalid", "msg": f"Invalid level: :{level}"}, 400)
    found = services(service, level)
    if len(parts) == 1:
        return json_response(found, 200 if is_up(service) else 503)
    if parts[1] not in found:
        message = f"No status information found for service {parts[1]}"
        return json_response({"kind": "service-not-found", "msg": message}, 404)
    one = {**found[parts[1]], "service_name": parts[1]}
    return json_response(one, 200 if one["state"] == "running" else 503)


def simple(service: Service, name: str) -> Response:
    """Return the state of a service in one word."""
    if name not in {OWN, STATUS_SERVICE}:
        return text_response(404, f"not found: {name}")
    up = name == STATUS_SERVICE or is_up(service)
    return text_response(200, "running") if up else text_response(503, "error")


def services(service: Service, level: str) -> dict[str, dict[str, Document]]:
    """Return the status of each service."""
    up = is_up(service)
    details: Document = {
        "maintenance_mode?": False,
        "queue_depth": service.queue_depth,
        "read_db_up?": up,
        "write_db_up?": up,
        "write_dbs_up?": up,
        "write_db": {"default": {"up?": up}},
    }
    process: Document = {}
    if level == "debug":
        process = process_metrics()
    return {
        OWN: status_document(VERSION, level, details, "running" if up else "error"),
        STATUS_SERVICE: status_document(STATUS_VERSION, level, process, "running"),
    }


def process_metrics() -> Document:
    """Return the memory and the age of the process."""
    found = {"resident-bytes": resident_bytes(), "up-time-ms": up_milliseconds()}
    return {"experimental": {"process-metrics": found}}


def status_document(version: str, level: str, details: Document, state: str) -> dict[str, Document]:
    """Return the status of a service."""
    return {
        "service_version": version,
        "service_status_version": 1,
        "detail_level": level,
        "state": state,
        "status": {} if level == "critical" else details,
        "active_alerts": [],
    }


def is_up(service: Service) -> bool:
    """Return whether the database answers."""
    try:
        return list(service.database.rows(Statement("SELECT 1"), SECONDS)) == [(1,)]
    except PuppetError:
        return False
