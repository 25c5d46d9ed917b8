"""A client of JSON interfaces by HTTP and HTTPS, with a certificate of its own."""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import SplitResult, urlsplit

from bunraku.base.records import record
from bunraku.web.http import Document
from bunraku.web.tls import naming

PIECE = 64 * 1024


class ClientError(Exception):
    """Raised if a server cannot be asked; the text says which and why."""


@record(frozen=True)
class Identity:
    """The files in PEM format of a client: its certificate, its key, and the authority of servers.

    Without ``cacert`` the authorities of the system are trusted.
    """

    cert: str | None = None
    key: str | None = None
    cacert: str | None = None

    def context(self) -> ssl.SSLContext:
        """Return a context that checks the server; TlsError if a file cannot be used."""
        with naming(f"the certificates of the authority {self.cacert}"):
            context = ssl.create_default_context(cafile=self.cacert)
        if self.cert is not None:
            with naming(f"the certificate {self.cert} with the key {self.key or self.cert}"):
                context.load_cert_chain(self.cert, self.key)
        return context


@record(frozen=True)
class Received:
    """The response of a server, whose body comes in pieces."""

    status: int
    body: Iterator[bytes]

    def text(self) -> str:
        """Return the whole body."""
        return b"".join(self.body).decode("utf-8", "replace")


@contextmanager
def posted(url: str, value: Document, identity: Identity, seconds: float) -> Iterator[Received]:
    """Send a JSON document and lend the response; ClientError if the server cannot be asked."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise ClientError(f"invalid URL {url!r}: {error}") from None
    connection = connection_to(parts, identity, seconds)
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    try:
        connection.request("POST", parts.path or "/", json.dumps(value), headers)
        response = connection.getresponse()
        yield Received(response.status, iter(lambda: response.read(PIECE), b""))
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise ClientError(f"cannot ask {parts.scheme}://{parts.netloc}: {reason}") from None
    finally:
        connection.close()


def connection_to(
    parts: SplitResult, identity: Identity, seconds: float
) -> http.client.HTTPConnection:
    """Return a connection to the host of a URL, which is not open yet."""
    try:
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise ClientError(f"invalid URL {parts.geturl()!r}: {error}") from None
    if not host:
        raise ClientError(f"invalid URL {parts.geturl()!r}: it has no host")
    if parts.scheme == "https":
        context = identity.context()
        return http.client.HTTPSConnection(host, port, timeout=seconds, context=context)
    return http.client.HTTPConnection(host, port, timeout=seconds)
