"""The whole interface: which part of it answers a request."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.puppetdb.server import commands, meta, queries
from bunraku.puppetdb.server.access import denied, wrong_type
from bunraku.puppetdb.server.commands import answer_command
from bunraku.puppetdb.server.meta import DASHBOARD, answer_meta
from bunraku.puppetdb.server.pages import not_found, start_page
from bunraku.puppetdb.server.queries import answer_query
from bunraku.puppetdb.server.service import Service
from bunraku.web.http import Request, Response, redirect, text_response

RETIRED = ("v1", "v2", "v3")


def answer(service: Service, request: Request) -> Response:
    """Return the response to a request."""
    refusal = denied(service, request)
    if refusal is not None:
        return refusal
    for prefix, part in PARTS:
        if request.path == prefix or request.path.startswith(f"{prefix}/"):
            return part(service, request)
    return not_found(request.path)


def answer_queries(service: Service, request: Request) -> Response:
    """Return the response to a request below ``/pdb/query``."""
    refusal = wrong_type(request)
    if refusal is not None:
        return refusal
    for version in RETIRED:
        if request.path.startswith(f"/pdb/query/{version}/"):
            return text_response(404, f"The {version} API has been retired; please use v4")
    return answer_query(service.database, request)


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


PARTS: tuple[tuple[str, Callable[[Service, Request], Response]], ...] = (
    (queries.PREFIX.removesuffix("/v4"), answer_queries),
    (meta.PREFIX, lambda _service, request: answer_meta(request)),
    (commands.PREFIX, answer_commands),
    ("/pdb", answer_others),
    ("", answer_root),
)
"""The parts by the start of a path; the first one that fits answers."""
