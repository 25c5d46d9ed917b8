"""The interface ``/puppet-ca/v1``: an answer is a function of a request.

Who may use what is not decided here, but by the rules of the server.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeAlias, TypeGuard
from urllib.parse import unquote

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.ca.authority import Authority
from bunraku.ca.directory import optional_content
from bunraku.ca.policy import RequestRefused, shown
from bunraku.ca.signer import pem
from bunraku.certificates.reading import NotPem, revocation_lists_in
from bunraku.web.http import JSON_TYPE, TEXT_TYPE, Request, Response, text_response

Json: TypeAlias = "dict[str, object]"

PREFIX = "/puppet-ca/v1/"
PLAIN = "text/plain"
LARGEST_REQUEST = 128 * 1024
"""Bytes of a signing request; one with a key of 16384 bits has less than 10,000."""
LARGEST_BODY = 16 * 1024 * 1024
"""Bytes of revocation lists and lists of names."""
STATES = ("requested", "signed", "revoked")
MEDIA_TYPES = ("application/json", "text/pson", "pson")


@record(frozen=True)
class AuthorityCall:
    """A request with the node that its path names, and the authority that answers it."""

    authority: Authority
    request: Request
    name: str


class Answered(Exception):
    """Raised to answer at once."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


def answer_ca(authority: Authority, request: Request, caller: str | None) -> Response:
    """Answer a request below ``/puppet-ca/v1/``; ``caller`` is the verified name for the log.

    Raises PuppetError if the authority's files cannot be used, and BodyTooLarge.
    """
    section, _, rest = request.path.removeprefix(PREFIX).partition("/")
    routes = ROUTES.get(section if not rest else f"{section}/")
    if routes is None or not request.path.startswith(PREFIX):
        routes = ROUTES.get(f"{section}/{rest}")
        if routes is None or not request.path.startswith(PREFIX):
            return plain(404, "Not Found")
        rest = ""
    if "/" in rest:
        return plain(404, "Not Found")
    method = "GET" if request.method == "HEAD" else request.method
    answer = routes.get(method)
    if answer is None:
        return not_allowed(routes) if section in LIMITED else plain(404, "Not Found")
    try:
        response = answer(AuthorityCall(authority, request, unquote(rest, errors="replace")))
    except Answered as early:
        return early.response
    except RequestRefused as error:
        authority.log(f"refused a request of {caller or 'an unknown client'}: {error}")
        return text_response(400, str(error))
    return response


def plain(status: int, text: str) -> Response:
    """Return a text with the type that the older handlers give it."""
    return Response(status, {"content-type": PLAIN}, [text])


def not_allowed(routes: Mapping[str, Answer]) -> Response:
    """Return the answer to a method that a resource does not have."""
    headers = {"content-type": TEXT_TYPE, "allow": ", ".join(routes)}
    return Response(405, headers, ["Method not allowed."])


# -- certificates, requests, revocation lists ----------------------------------------------------------


def get_certificate(call: AuthorityCall) -> Response:
    """Return the certificate of a node, or the authority's own for ``ca``."""
    path = call.authority.certificate_path(call.name)
    if path is None or not os.path.isfile(path):
        return plain(404, f"Could not find certificate {shown(call.name)}")
    return file_response(call.request, path)


def get_request(call: AuthorityCall) -> Response:
    """Return a pending request."""
    content = call.authority.request_pem(call.name)
    if content is None:
        return plain(404, f"Could not find certificate_request {shown(call.name)}")
    return Response(200, {"content-type": PLAIN}, [content])


def put_request(call: AuthorityCall) -> Response:
    """Keep a request, and sign it if the settings say so."""
    call.authority.submit(call.name, call.request.read(LARGEST_REQUEST))
    return plain(200, "")


def delete_request(call: AuthorityCall) -> Response:
    """Remove a pending request."""
    if call.authority.delete_request(call.name):
        return Response(204, {}, [])
    return plain(404, f"No certificate request for {shown(call.name)}")


def get_lists(call: AuthorityCall) -> Response:
    """Return the revocation lists, unless they have not changed since the client got them."""
    return file_response(call.request, call.authority.published_list)


def file_response(request: Request, path: str) -> Response:
    """Return a file, or 304 for one that has not changed since ``If-Modified-Since``.

    An invalid date is ignored.
    """
    since = read_date(request.headers.get("if-modified-since"))
    # The time is read first: a file that is replaced now is sent again later, never left out.
    changed = datetime.fromtimestamp(os.stat(path).st_mtime, UTC)
    if since is not None and changed <= since:
        return Response(304, {"content-type": PLAIN}, [])
    return Response(200, {"content-type": PLAIN}, [optional_content(path) or b""])


def read_date(text: str | None) -> datetime | None:
    """Return the time in an HTTP date; None for other text.

    >>> read_date("Thu, 01 Jan 2015 00:00:00 GMT").year, read_date("yesterday")
    (2015, None)
    """
    try:
        found = parsedate_to_datetime(text or "")
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def put_lists(call: AuthorityCall) -> Response:
    """Update the revocation lists of the authorities above this one."""
    try:
        incoming = revocation_lists_in(call.request.read(LARGEST_BODY))
    except NotPem:
        return text_response(400, "No valid CRLs submitted.")
    try:
        call.authority.update_lists(incoming)
    except PuppetError as error:
        if error.code in {"CA_REFUSED_LISTS", "CA_BAD_CHAIN"}:
            return text_response(400, error.message)
        raise
    return text_response(200, "Successfully updated CRLs.")


def get_expirations(call: AuthorityCall) -> Response:
    """Return when certificates of authorities and revocation lists expire."""
    return json_answer(call.authority.expirations())


def json_answer(value: object, status: int = 200, kind: str = "application/json") -> Response:
    """Return a JSON document with the type of the older handlers."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Response(status, {"content-type": kind}, [text.encode("utf-8", "replace")])


# -- the status of certificates ------------------------------------------------------------------------


def get_status(call: AuthorityCall) -> Response:
    """Return the status of a node's certificate or request."""
    kind = media_type(call.request)
    status = call.authority.status(call.name)
    if status is None:
        return Response(404, {"content-type": kind, "vary": "Accept"}, ["Resource not found."])
    return json_answer(status, kind=kind)


def get_statuses(call: AuthorityCall) -> Response:
    """Return the statuses of all certificates and requests, or of those in one state."""
    if not call.name:
        return text_response(400, "Missing URL Segment")
    kind = media_type(call.request)
    state = call.request.parameters.get("state")
    found = call.authority.statuses(state if state in STATES else None)
    return json_answer(found, kind=kind)


def media_type(request: Request) -> str:
    """Return the type of a status; raise Answered if the client accepts none of them."""
    accepted = request.headers.get("accept", "").strip()
    if not accepted:
        return JSON_TYPE
    for one in re.split(r"\s*,\s*", accepted):
        kind = one.partition(";")[0].strip().lower()
        if kind in {"*/*", "application/*", MEDIA_TYPES[0]}:
            return JSON_TYPE
        if kind in {"text/*", *MEDIA_TYPES}:
            return "text/pson;charset=UTF-8"
    raise Answered(text_response(406, "No acceptable resource available."))


def put_status(call: AuthorityCall) -> Response:
    """Sign or revoke a certificate."""
    authority, name = call.authority, call.name
    state, seconds = desired_state(call)
    check_type(call.request)
    media_type(call.request)
    if not authority.is_issued(name) and not authority.directory.has_request(name):
        return text_response(404, "Invalid certificate subject.")
    try:
        if state == "signed":
            authority.sign(name, seconds)
        else:
            authority.revoke([name])
    except RequestRefused as error:
        return text_response(409, str(error))
    return Response(204, {"content-type": PLAIN, "vary": "Accept"}, [])


def desired_state(call: AuthorityCall) -> tuple[str, int | None]:
    """Return the state in the body, and the time of validity; raise Answered if they are wrong."""
    body = json_body(call.request)
    state, seconds = body.get("desired_state"), body.get("cert_ttl")
    problem = None
    if not state:
        problem = 'Missing required parameter "desired_state"'
    elif state not in ("signed", "revoked"):
        problem = (
            f"State {shown(str(state))} invalid; Must specify desired state of 'signed' or "
            f"'revoked' for host {shown(call.name)}."
        )
    elif seconds is not None and not is_time(seconds):
        problem = (
            f"cert_ttl specified for host {shown(call.name)} must be an integer, not "
            f'"{shown(str(seconds))}"'
        )
    if problem is not None:
        raise Answered(text_response(400, problem))
    return str(state), seconds if isinstance(seconds, int) else None


def is_time(value: object) -> bool:
    """Return whether a value is a number of seconds that a certificate can be valid."""
    longest = 50 * 365 * 86400
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= longest


def check_type(request: Request) -> None:
    """Raise Answered if the body has another type than JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind and kind not in MEDIA_TYPES:
        raise Answered(text_response(415, "Unsupported media type."))


def json_body(request: Request, answer: Callable[[int, str], Response] = text_response) -> Json:
    """Return the JSON object in a body; raise Answered for other bodies."""
    try:
        found = json.loads(request.read(LARGEST_BODY))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Answered(answer(400, "Request body is not JSON."))
    return found


def delete_status(call: AuthorityCall) -> Response:
    """Remove a node's certificate and request; the certificate is not revoked."""
    media_type(call.request)
    issued = call.authority.is_issued(call.name)
    if not call.authority.delete(call.name) and not issued:
        return text_response(404, "Resource not found.")
    return Response(204, {}, [])


# -- many at once --------------------------------------------------------------------------------------


def put_clean(call: AuthorityCall) -> Response:
    """Revoke and remove certificates."""
    body = json_body(call.request, plain)
    if body.get("async") is True:
        return plain(400, "Async mode is not currently supported.")
    if "certnames" not in body:
        return plain(
            400,
            "Missing required key: 'certnames'. Please supply the list of certs you want to clean.",
        )
    names = body["certnames"]
    if not is_names(names):
        return plain(400, "'certnames' must be a list of names.")
    missing = call.authority.clean(names)
    if missing:
        shown_names = " ".join(json.dumps(shown(name)) for name in missing)
        message = "The following certs do not exist and cannot be revoked:"
        return plain(200, f"{message} [{shown_names}]")
    return plain(200, "Successfully cleaned all certs.")


def is_names(value: object) -> TypeGuard[list[str]]:
    """Return whether a value is a list of texts."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def post_sign(call: AuthorityCall) -> Response:
    """Sign the requests of the named nodes."""
    names = json_body(call.request).get("certnames")
    if not is_names(names):
        problem = {"kind": "schema-violation", "submitted": names, "error": "not a list of names"}
        return json_answer(problem, 422)
    return signed(call, names)


def post_sign_all(call: AuthorityCall) -> Response:
    """Sign all pending requests."""
    return signed(call, call.authority.pending())


def signed(call: AuthorityCall, names: list[str]) -> Response:
    """Sign requests and return what became of each."""
    result = call.authority.sign_many(names)
    outcome = {
        "signed": result.signed,
        "no-csr": result.no_csr,
        "signing-errors": list(result.signing_errors),
    }
    return json_answer(outcome)


def post_renewal(call: AuthorityCall) -> Response:
    """Return a new certificate for the client's own."""
    if not call.authority.settings.allow_auto_renewal:
        return plain(404, "Not Found")
    if call.request.certificate is None:
        return plain(400, "No valid certificate found in renewal request")
    try:
        new = call.authority.renew(call.request.certificate)
    except RequestRefused as error:
        return plain(403, str(error))
    return Response(200, {"content-type": PLAIN}, [pem(new)])


Answer: TypeAlias = "Callable[[AuthorityCall], Response]"
STATUS: Mapping[str, Answer] = {"GET": get_status, "PUT": put_status, "DELETE": delete_status}
LIMITED = frozenset(["certificate_status", "certificate_statuses"])
"""Resources that answer a wrong method with 405."""
ROUTES: Mapping[str, Mapping[str, Answer]] = {
    "certificate/": {"GET": get_certificate},
    "certificate_request/": {"GET": get_request, "PUT": put_request, "DELETE": delete_request},
    "certificate_revocation_list/": {"GET": get_lists},
    "certificate_revocation_list": {"PUT": put_lists},
    "certificate_status/": STATUS,
    "certificate_statuses/": {"GET": get_statuses},
    "certificate_statuses": {"GET": get_statuses},
    "expirations": {"GET": get_expirations},
    "clean": {"PUT": put_clean},
    "sign": {"POST": post_sign},
    "sign/all": {"POST": post_sign_all},
    "certificate_renewal": {"POST": post_renewal},
}
"""Path below the prefix, with ``/`` for one that names a node → method → answer."""
