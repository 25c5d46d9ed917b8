"""Who sends a request: from the verified certificate, or from the headers of a proxy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from bunraku.base.bounded_cache import BoundedCache
from bunraku.certificates.trusted import trusted_data, trusted_of
from bunraku.server.authorization.rules import Caller
from bunraku.server.proxied import HEADERS, proxied
from bunraku.server.service import Service
from bunraku.web.http import Request

Pairs: TypeAlias = "frozenset[tuple[str, str]]"
ANONYMOUS = Caller()
CALLERS: BoundedCache[tuple[bytes, Pairs], Caller] = BoundedCache("callers", 4096)


def request_of_caller(service: Service, request: Request) -> Request:
    """Return a request with its client: of the certificate, or of the headers of a proxy.

    The headers count only where the rules of access allow that, and only for requests without TLS: a
    client that reaches the port with TLS could write them itself. Refused for a header with a
    certificate that cannot be used.
    """
    if service.header_cert_info and not request.secure:
        return proxied(request, service.log)
    if not HEADERS.isdisjoint(request.headers):
        service.ignored_headers.add(request.headers, reason_to_ignore(service), service.log)
    return request


def caller_of(request: Request, mapping: Mapping[str, str]) -> Caller:
    """Return who sends a request; PuppetError for a certificate without a name.

    ``mapping`` has the short names of a site's own extensions. A client that a proxy has named
    without its certificate has no extensions.
    """
    if request.certificate is None:
        client = request.client
        return ANONYMOUS if client is None else caller_with(trusted_of(client, {}))
    key = (request.certificate, frozenset(mapping.items()))
    found = CALLERS.get(key)
    if found is None:
        return CALLERS.keep(key, caller_with(trusted_data(request.certificate, mapping)))
    return found


def reason_to_ignore(service: Service) -> str:
    """Return why the headers of a proxy are ignored."""
    if service.header_cert_info:
        return "the request came by TLS"
    return "the allow-header-cert-info was either not set, or was set to false"


def caller_with(data: Mapping[str, object]) -> Caller:
    """Return the caller with trusted data."""
    trusted: dict[str, Any] = dict(data)
    extensions = {name: as_text(value) for name, value in trusted["extensions"].items()}
    return Caller(str(trusted["certname"]), extensions, trusted)


def as_text(value: object) -> str:
    """Return the value of an extension as rules of access write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
