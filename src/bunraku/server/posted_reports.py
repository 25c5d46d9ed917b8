"""Reports for another server: the report processor ``http``, as Puppet has it."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import unquote, urlsplit, urlunsplit

from bunraku.web.requests import HttpRequest, TlsFiles
from bunraku.world.machine import Machine

MACHINE = Machine()
TYPE = "application/x-yaml"
DEPTHS: Mapping[str, Literal["chain", "leaf"]] = {"leaf": "leaf"}
"""Values of ``certificate_revocation`` that do not mean all certificates of the chain."""


def post_report(values: Mapping[str, Any], content: bytes) -> None:
    """Post a report to ``reporturl``; OSError, without the password in the URL, if that fails.

    ``values`` are the settings. A user and a password in the URL are sent as Basic authentication.
    The other server must have a certificate of the authority of this one, or of an authority of the
    system with ``report_include_system_store``.
    """
    url, headers = destination(str(values["reporturl"]))
    request = HttpRequest("POST", url, headers, content, tls_of(values))
    try:
        with MACHINE.http(request) as response:
            status = response.status
    except OSError as error:
        raise OSError(f"Unable to submit report to {url}: {error.strerror or error}") from None
    if not 200 <= status < 300:
        raise OSError(f"Unable to submit report to {url} [{status}]")


def destination(url: str) -> tuple[str, dict[str, str]]:
    """Return a URL without user and password, and the headers of a request to it.

    >>> destination("https://me:a%40b@reports.example.com:8080/upload")[0]
    'https://reports.example.com:8080/upload'
    """
    parts = urlsplit(url)
    headers = {"content-type": TYPE}
    if parts.username and parts.password:
        pair = f"{unquote(parts.username)}:{unquote(parts.password)}"
        headers["authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, parts.query, "")), headers


def tls_of(values: Mapping[str, Any]) -> TlsFiles:
    """Return the files of TLS: the certificate of this server, its authority and its revocations.

    Where the authorities of the system are trusted too, revocations are not checked, as in Puppet.
    """
    authority, certificate, key = (
        str(values[name]) for name in ("localcacert", "hostcert", "hostprivkey")
    )
    if str(values["report_include_system_store"]).lower() == "true":
        return TlsFiles(None, certificate, key, others=(authority,))
    depth = str(values["certificate_revocation"]).lower()
    lists = [str(values[name]) for name in ("hostcrl", "cacrl")]
    revocations = next((path for path in lists if os.path.isfile(path)), None)
    checked = None if depth == "false" else revocations
    return TlsFiles(authority, certificate, key, checked, DEPTHS.get(depth, "chain"))
