"""The version of the interface and the time of the server."""

from __future__ import annotations

from time import time

from bunraku.puppetdb.server.access import wrong_type
from bunraku.puppetdb.timestamps import to_text
from bunraku.web.http import Document, Request, Response, json_response, redirect, text_response

PREFIX = "/pdb/meta"
DASHBOARD = "/pdb/dashboard/index.html"
VERSION = "7.12.1"
"""The release of PuppetDB whose interface this is; clients choose their queries by it."""


def answer_meta(request: Request) -> Response:
    """Return the response to a request below ``/pdb/meta``."""
    refusal = wrong_type(request)
    if refusal is not None:
        return refusal
    route = request.path.removeprefix(PREFIX)
    value: Document
    allowed: list[str] = []
    if route == "/v1/version":
        value = {"version": VERSION}
    elif route == "/v1/version/latest":
        allowed = ["product_name"]
        value = {"newer": False, "version": VERSION, "link": None}
    elif route == "/v1/server-time":
        value = {"server_time": to_text(int(time() * 1000))}
    else:
        return redirect(DASHBOARD)
    for name in request.parameters:
        if name not in allowed:
            return text_response(400, f"Unsupported query parameter '{name}'")
    return json_response(value)
