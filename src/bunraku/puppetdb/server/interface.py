"""The whole interface: which part of it answers a request."""

from __future__ import annotations

from bunraku.puppetdb.server.queries import DASHBOARD, PREFIX, answer_query
from bunraku.puppetdb.server.service import Service
from bunraku.web.http import Request, Response, json_response, redirect, text_response

VERSION = "7.12.1"
"""The release of PuppetDB whose answers these are; clients choose their queries by it."""
RETIRED = ("v1", "v2", "v3")


def answer(service: Service, request: Request) -> Response:
    """Return the response to a request."""
    path = request.path
    if path == PREFIX or path.startswith(f"{PREFIX}/"):
        return answer_query(service.database, request)
    for version in RETIRED:
        if path.startswith(f"/pdb/query/{version}/"):
            return text_response(404, f"The {version} API has been retired; please use v4")
    if path == "/pdb/meta/v1/version":
        return json_response({"version": VERSION})
    if path == "/pdb/meta/v1/version/latest":
        return json_response({"newer": False, "version": VERSION, "link": None})
    if path == "/pdb" or path.startswith("/pdb/"):
        return redirect(DASHBOARD)
    return text_response(404, "Not Found")
