"""Send requests by the HTTP client of the standard library."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from bunraku.base.records import record
from bunraku.world.http import HttpRequest, TlsFiles


@record(frozen=True)
class Answer:
    """The response of a connection."""

    status: int
    headers: Mapping[str, str]
    read: Callable[..., bytes]


@contextmanager
def exchange(request: HttpRequest) -> Iterator[Answer]:
    """Send a request and yield its response; OSError if there is none, or not all of it."""
    parts = urlsplit(request.url)
    connection = connection_to(request)
    target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    try:
        connection.request(request.method, target, request.body or None, dict(request.headers))
        response = connection.getresponse()
        headers = {name.lower(): value for name, value in response.getheaders()}
        yield Answer(response.status, headers, response.read)
    except HTTPException as error:
        raise OSError(f"the answer is not HTTP or ends early ({type(error).__name__})") from None
    finally:
        connection.close()


def connection_to(request: HttpRequest) -> HTTPConnection:
    """Return a connection for a request, which is made when it is used."""
    parts = urlsplit(request.url)
    if parts.hostname is None:
        raise OSError("the URL has no host")
    if parts.scheme == "http":
        return HTTPConnection(parts.hostname, parts.port, timeout=request.seconds)
    context = tls_context(request.tls)
    return HTTPSConnection(parts.hostname, parts.port, timeout=request.seconds, context=context)


def tls_context(files: TlsFiles) -> ssl.SSLContext:
    """Return a context that checks the server; OSError, with its name, for an unusable file."""
    context = ssl.create_default_context()
    # Puppet's authorities sign certificates without some extensions that strict checks require.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if files.authority is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        with named(files.authority):
            context.load_verify_locations(files.authority)
    if files.certificate is not None:
        with named(f"{files.certificate} with {files.key or 'its key'}"):
            context.load_cert_chain(files.certificate, files.key, password=no_password)
    return context


def no_password() -> str:
    """Raise OSError instead of asking the terminal for the password of a key."""
    raise OSError("the key is encrypted")


@contextmanager
def named(name: str) -> Iterator[None]:
    """Add the name of a file to errors of reading it."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OSError(f"cannot use {name}: {reason}") from None
