"""Which requests are accepted: certificates of clients, types of documents."""

from __future__ import annotations

from bunraku.puppetdb.server.service import Service
from bunraku.web.http import Request, Response, text_response

JSON = "application/json"
ALLOWED_TYPES = frozenset([JSON, "application/*", "*/*"])


def denied(service: Service, request: Request) -> Response | None:
    """Return the refusal of a client whose certificate the allow list does not name."""
    allowed = service.allowed
    if allowed is None or not request.secure or request.client in allowed:
        return None
    return text_response(
        403,
        f"Permission denied: The client certificate name {request.client} doesn't appear in the"
        " certificate allowlist. Is your master's (or other PuppetDB client's) certname listed in"
        " PuppetDB's certificate-allowlist file?",
    )


def wrong_type(request: Request) -> Response | None:
    """Return the refusal of a body that is not JSON, or of a client that does not accept JSON."""
    content_type = request.headers.get("content-type", JSON).split(";")[0].strip()
    if request.method == "POST" and content_type != JSON:
        return text_response(415, f"content type {content_type} not supported")
    accepted = request.headers.get("accept")
    if accepted is not None and not accepts_json(accepted):
        return text_response(406, f"must accept {JSON}")
    return None


def accepts_json(header: str) -> bool:
    """Return whether a header ``Accept`` allows JSON.

    >>> accepts_json("text/html, */*;q=0.1"), accepts_json("text/plain"), accepts_json("")
    (True, False, False)
    """
    types = {item.split(";")[0].strip() for item in header.split(",")}
    return not ALLOWED_TYPES.isdisjoint(types)
