"""The routes of the HTTP interface, and the function that answers each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from bunraku.base.errors import PuppetError
from bunraku.puppetdb import issues
from bunraku.puppetdb.server import admin, commands, meta, metrics, queries, status
from bunraku.puppetdb.server.access import denied, wrong_type
from bunraku.puppetdb.server.admin import answer_admin
from bunraku.puppetdb.server.commands import answer_command
from bunraku.puppetdb.server.meta import DASHBOARD, answer_meta
from bunraku.puppetdb.server.metrics import answer_metrics
from bunraku.puppetdb.server.pages import not_found, start_page
from bunraku.puppetdb.server.queries import answer_query
from bunraku.puppetdb.server.service import Service
from bunraku.puppetdb.server.status import answer_status
from bunraku.web.compression import compressed
from bunraku.web.http import Request, Response, redirect, text_response

Part: TypeAlias = Callable[[Service, Request], Response]
RETIRED = ("v1", "v2", "v3")


def answer(service: Service, request: Request) -> Response:
    """Return the response to a request, compressed if the client accepts that."""
    return compressed(request, plain_answer(service, request))


def plain_answer(service: Service, request: Request) -> Response:
    """Return the response to a request."""
    refusal = denied(service, request)
    if refusal is not None:
        return refusal
    for prefix, part in PARTS:
        if request.path == prefix or request.path.startswith(f"{prefix}/"):
            return answered(part, service, request)
    return not_found(request.path)


def answered(part: Part, service: Service, request: Request) -> Response:
    """Return the response of a part; an error of the database is one of the server."""
    try:
        return part(service, request)
    except PuppetError as error:
        unavailable = error.diagnostic.code == issues.DATABASE_UNAVAILABLE.code
        return text_response(503 if unavailable else 500, error.message)


def answer_queries(service: Service, request: Request) -> Response:
    """Return the response to a request below ``/pdb/query``."""
    refusal = wrong_type(request)
    if refusal is not None:
        return refusal
    for version in RETIRED:
        if request.path.startswith(f"/pdb/query/{version}/"):
            return text_response(404, f"The {version} API has been retired; please use v4")
    return answer_query(service.database, service.settings, request)


def answer_commands(service: Service, request: Request) -> Response:
    """Return the response to a command."""
    if service.intake is None:
        return text_response(503, "This server does not accept commands")
    return answer_command(service.intake, request)


def answer_others(_service: Service, request: Request) -> Response:
    """Return the start page; redirect other paths below ``/pdb`` to it."""
    return start_page() if request.path == DASHBOARD else redirect(DASHBOARD)


def answer_root(_service: Service, request: Request) -> Response:
    """Redirect the root to the start page."""
    return redirect(DASHBOARD) if request.path == "/" else not_found(request.path)


PARTS: tuple[tuple[str, Part], ...] = (
    (queries.PREFIX.removesuffix("/v4"), answer_queries),
    (meta.PREFIX, lambda _service, request: answer_meta(request)),
    (commands.PREFIX, answer_commands),
    (admin.PREFIX, answer_admin),
    ("/pdb", answer_others),
    (status.PREFIX, answer_status),
    (metrics.PREFIX, answer_metrics),
    ("", answer_root),
)
"""The parts by the start of a path; the first one that fits answers."""
