"""Who sends a request, from the verified certificate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from bunraku.base.bounded_cache import BoundedCache
from bunraku.certificates.trusted import trusted_data
from bunraku.server.authorization.rules import Caller
from bunraku.web.http import Request

Pairs: TypeAlias = "frozenset[tuple[str, str]]"
ANONYMOUS = Caller()
CALLERS: BoundedCache[tuple[bytes, Pairs], Caller] = BoundedCache("callers", 4096)


def caller_of(request: Request, mapping: Mapping[str, str]) -> Caller:
    """Return who sends a request; PuppetError for a certificate without a name.

    ``mapping`` has the short names of a site's own extensions.
    """
    if request.certificate is None:
        return ANONYMOUS
    key = (request.certificate, frozenset(mapping.items()))
    found = CALLERS.get(key)
    return CALLERS.keep(key, read_caller(request.certificate, mapping)) if found is None else found


def read_caller(certificate: bytes, mapping: Mapping[str, str]) -> Caller:
    """Return the caller with a certificate in DER form."""
    trusted: dict[str, Any] = dict(trusted_data(certificate, mapping))
    extensions = {name: as_text(value) for name, value in trusted["extensions"].items()}
    return Caller(str(trusted["certname"]), extensions, trusted)


def as_text(value: object) -> str:
    """Return the value of an extension as rules of access write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
