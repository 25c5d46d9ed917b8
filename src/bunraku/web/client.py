"""Send requests to servers: HTTP/1.1 over kept connections, TLS, gzip and time limits.

The connections are those of the standard library. :func:`exchange` sends one request; a
:class:`Client` keeps connections between requests.
"""

from __future__ import annotations

import os
import selectors
import socket
import ssl
import threading
import time
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from http.client import (
    HTTPConnection,
    HTTPException,
    HTTPResponse,
    HTTPSConnection,
    IncompleteRead,
)
from urllib.parse import unquote, urlsplit

from bunraku.base.records import record, replace
from bunraku.web.compression import GZIP
from bunraku.web.proxies import proxy_of
from bunraku.web.redirects import location_of, redirected
from bunraku.web.requests import HttpRequest, Proxy, TlsFiles

LARGEST_ANSWER = 256 << 20
"""Bytes of an answer that is read at once; larger ones are read in pieces."""
BLOCK = 1 << 16
REST = 1 << 20
"""Bytes of an answer that are read and dropped to keep its connection."""
IDEMPOTENT = frozenset({"GET", "HEAD", "PUT", "DELETE", "OPTIONS"})
BUSY = frozenset({429, 503})
TRIES = 100
"""How often a busy server is asked, as in Puppet."""
PORTS = {"http": 80, "https": 443}
DEPTHS = {"chain": ssl.VERIFY_CRL_CHECK_CHAIN, "leaf": ssl.VERIFY_CRL_CHECK_LEAF}


@record(frozen=True)
class Answer:
    """The response of a connection."""

    status: int
    headers: Mapping[str, str]
    read: Callable[..., bytes]


class NotConnected(OSError):
    """No connection to a server: refused, timed out, or without a valid certificate.

    The cause is the error of the socket.
    """


class Deadline:
    """Ends the connection of an answer after a number of seconds; 0 switches the limit off."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.socket: socket.socket | None = None
        self.timer: threading.Timer | None = None
        self.has_passed = False

    def __enter__(self) -> None:
        if self.seconds:
            self.timer = threading.Timer(self.seconds, self.end)
            self.timer.daemon = True
            self.timer.start()

    def __exit__(self, *_error: object) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if self.has_passed:
            raise TimeoutError(f"the answer takes more than {self.seconds:g} seconds")

    def end(self) -> None:
        """End the connection: who reads from it finds its end."""
        self.has_passed = True
        if self.socket is not None:
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)


class Client:
    """Requests of one thread to servers, over connections that are kept between them.

    ``keep`` is how many seconds an idle connection is kept. A server that answers 429 or 503 with
    ``Retry-After``
    is asked again after that time, but ``longest_wait`` seconds at most; 0 returns such answers.
    """

    def __init__(
        self,
        *,
        keep: float = 4.0,
        longest_wait: float = 0.0,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.keep = keep
        self.longest_wait = longest_wait
        self.sleep = sleep
        self.clock = clock
        self.now = now
        self.kept: dict[tuple[str, str, TlsFiles], tuple[HTTPConnection, float]] = {}
        """Idle connections by scheme, address and files of TLS, each with the time of its last use."""
        self.contexts: dict[TlsFiles, ssl.SSLContext] = {}

    @contextmanager
    def exchange(self, request: HttpRequest) -> Iterator[Answer]:
        """Send a request and yield its response; OSError if there is none, or not all of it.

        Redirects are followed as the request allows.
        """
        request = with_credentials(request)
        tries, redirects = 1, 0
        while True:
            with self.one_exchange(request) as answer:
                location = location_of(request, answer.status, answer.headers)
                wait = self.wait_before_retry(answer) if tries < TRIES else None
                if location is None and wait is None:
                    yield answer
                    return
            if location is not None:
                request = redirected(request, location, redirects)
                redirects += 1
            elif wait is not None:
                self.close()  # instead of holding a connection while waiting
                self.sleep(wait)
                tries += 1

    def reach(self, request: HttpRequest) -> None:
        """Make sure that there is a connection for a request, and keep it; OSError if there is none."""
        connection = self.take(request) or self.connected(request)
        self.give_back(request, connection, finished=True)

    def wait_before_retry(self, answer: Answer) -> float | None:
        """Return after how many seconds a busy server can be asked again; None for other answers."""
        if not self.longest_wait or answer.status not in BUSY:
            return None
        wait = seconds_until(answer.headers.get("retry-after", ""), self.now())
        return None if wait is None else min(wait, self.longest_wait)

    @contextmanager
    def one_exchange(self, request: HttpRequest) -> Iterator[Answer]:
        """Send a request once and yield its response."""
        connection: HTTPConnection | None = None
        finished = False
        deadline = Deadline(request.longest)
        try:
            with deadline:
                connection, response = self.respond(request, deadline)
                yield answer_of(request, response)
                finished = is_read(response)
        except HTTPException as error:
            raise OSError(
                f"the answer is not HTTP or ends early ({type(error).__name__})"
            ) from None
        finally:
            if connection is not None:
                self.give_back(request, connection, finished=finished)

    # -- connections -----------------------------------------------------------------------------

    def respond(
        self, request: HttpRequest, deadline: Deadline
    ) -> tuple[HTTPConnection, HTTPResponse]:
        """Send a request over an open or a new connection; return it with the begun response."""
        connection = self.take(request)
        if connection is not None:
            deadline.socket = connection.sock
            try:
                return connection, response_of(connection, request)
            except (ConnectionError, HTTPException):  # the server closed it meanwhile
                connection.close()
                if request.method not in IDEMPOTENT:
                    raise
        connection = self.connected(request)
        deadline.socket = connection.sock
        try:
            return connection, response_of(connection, request)
        except BaseException:
            connection.close()
            raise

    def take(self, request: HttpRequest) -> HTTPConnection | None:
        """Return an open connection that can be used for a request."""
        connection, since = self.kept.pop(key_of(request), (None, 0.0))
        if connection is None:
            return None
        if self.clock() - since > self.keep or is_closed(connection):
            connection.close()
            return None
        if connection.sock is not None:
            connection.sock.settimeout(request.seconds)
        return connection

    def connected(self, request: HttpRequest) -> HTTPConnection:
        """Return a new connection for a request; NotConnected without one."""
        connection = self.unconnected(request)
        try:
            connection.connect()
        except OSError as error:
            connection.close()
            raise NotConnected(*error.args) from error
        except BaseException:
            connection.close()
            raise
        sock: socket.socket = connection.sock
        sock.settimeout(request.seconds)
        return connection

    def unconnected(self, request: HttpRequest) -> HTTPConnection:
        """Return the connection for a request, to its server or its proxy, before it is opened."""
        scheme, host, port = server_of(request.url)
        network = request.network
        limit = request.seconds if network.connecting is None else network.connecting
        source = None if network.address is None else (network.address, 0)
        proxy = proxy_of(network, host, port)
        where = (host, port) if proxy is None else (proxy.host, proxy.port)
        if scheme == "http":
            return HTTPConnection(*where, timeout=limit, source_address=source)
        context = self.context(request.tls)
        made = HTTPSConnection(*where, timeout=limit, source_address=source, context=context)
        if proxy is not None:
            made.set_tunnel(host, port, for_proxy(proxy))
        return made

    def context(self, files: TlsFiles) -> ssl.SSLContext:
        """Return the context for files of TLS; they are read once."""
        if files not in self.contexts:
            self.contexts[files] = tls_context(files)
        return self.contexts[files]

    def give_back(
        self, request: HttpRequest, connection: HTTPConnection, *, finished: bool
    ) -> None:
        """Keep a connection whose response was read, otherwise close it."""
        if finished and self.keep and connection.sock is not None:
            self.kept[key_of(request)] = (connection, self.clock())
        else:
            connection.close()

    def forget(self) -> None:
        """Close the idle connections, and read the files of TLS again when they are needed."""
        self.close()
        self.contexts.clear()

    def close(self) -> None:
        """Close the idle connections."""
        for connection, _since in self.kept.values():
            connection.close()
        self.kept.clear()


@contextmanager
def exchange(request: HttpRequest) -> Iterator[Answer]:
    """Send one request over a connection of its own and yield its response; OSError without one.

    Without a connection, it is the error of the socket.
    """
    try:
        with Client(keep=0.0).exchange(request) as answer:
            yield answer
    except NotConnected as error:
        raise error.__cause__ or error from None


def key_of(request: HttpRequest) -> tuple[str, str, TlsFiles]:
    """Return what the connections of a request have in common."""
    parts = urlsplit(request.url)
    return parts.scheme, parts.netloc, request.tls


def is_closed(connection: HTTPConnection) -> bool:
    """Return whether the other side has closed an idle connection, or has sent something unasked."""
    if connection.sock is None:
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(connection.sock, selectors.EVENT_READ)
        return bool(selector.select(0))


# -- requests and responses ------------------------------------------------------------------------


def server_of(url: str) -> tuple[str, str, int]:
    """Return the scheme, the host and the port of a URL; OSError for one of another kind.

    >>> server_of("https://web:8140/a"), server_of("http://[::1]/")
    (('https', 'web', 8140), ('http', '::1', 80))
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise OSError(f"the URL is malformed ({error})") from None
    if host is None or parts.scheme not in PORTS:
        raise OSError("the URL has no host, or is not one of http or https")
    return parts.scheme, host, PORTS[parts.scheme] if port is None else port


def with_credentials(request: HttpRequest) -> HttpRequest:
    """Return a request with the user and the password of its URL in a header instead."""
    parts = urlsplit(request.url)
    if "@" not in parts.netloc:
        return request
    url = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    if parts.username is None or parts.password is None:
        return replace(request, url=url)
    value = basic(unquote(parts.username), unquote(parts.password))
    return replace(request, url=url, headers={**request.headers, "Authorization": value})


def basic(user: str, password: str | None) -> str:
    """Return the header of a user with basic authentication (RFC 7617).

    >>> basic("a", "b")
    'Basic YTpi'
    """
    return "Basic " + b64encode(f"{user}:{password or ''}".encode()).decode()


def for_proxy(proxy: Proxy) -> dict[str, str]:
    """Return the headers that a proxy needs."""
    if proxy.user is None:
        return {}
    return {"Proxy-Authorization": basic(proxy.user, proxy.password)}


def response_of(connection: HTTPConnection, request: HttpRequest) -> HTTPResponse:
    """Send a request and return the response, whose body is not read yet."""
    parts = urlsplit(request.url)
    target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    headers = dict(request.headers)
    scheme, host, port = server_of(request.url)
    proxy = proxy_of(request.network, host, port)
    if proxy is not None and scheme == "http":
        target = f"http://{parts.netloc}{target}"
        headers |= for_proxy(proxy)
    connection.request(request.method, target, request.body or None, headers)
    return connection.getresponse()


def answer_of(request: HttpRequest, response: HTTPResponse) -> Answer:
    """Return a response, decompressed if the request allowed gzip."""
    headers = {name.lower(): value for name, value in response.getheaders()}
    asked = any(name.lower() == "accept-encoding" for name in request.headers)
    read = Plain(response).read
    if asked and headers.get("content-encoding") == "gzip" and request.method != "HEAD":
        read = Gunzip(response).read
    return Answer(response.status, headers, read)


def is_read(response: HTTPResponse) -> bool:
    """Return whether all of a response is read, after dropping a short rest."""
    if not response.isclosed():
        response.read(REST)
    return response.isclosed() and not response.will_close


def read_some(response: HTTPResponse, size: int) -> bytes:
    """Return the next bytes of a body, none at its end; HTTPException if it ends early."""
    found = response.read(size)
    if not found and size and response.length:
        raise IncompleteRead(b"", response.length)
    return found


class Plain:
    """Reads a body as it is."""

    def __init__(self, response: HTTPResponse) -> None:
        self.response = response

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes of the body; OSError for too many at once."""
        if size >= 0:
            return read_some(self.response, size)
        pieces: list[bytes] = []
        room = LARGEST_ANSWER
        while piece := read_some(self.response, BLOCK):
            pieces.append(piece)
            room -= len(piece)
            if room < 0:
                raise too_large()
        return b"".join(pieces)


class Gunzip:
    """Reads a body compressed by gzip."""

    def __init__(self, response: HTTPResponse) -> None:
        self.response = response
        self.unpacker = zlib.decompressobj(GZIP)

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes of the body, decompressed; OSError for malformed or cut data."""
        most = size if size >= 0 else LARGEST_ANSWER + 1
        pieces: list[bytes] = []
        room = most
        while room > 0 and not self.unpacker.eof:
            piece = self.next_piece(room)
            pieces.append(piece)
            room -= len(piece)
        if size < 0 and room == 0:
            raise too_large()
        return b"".join(pieces)

    def next_piece(self, room: int) -> bytes:
        """Return some decompressed bytes, maybe none yet."""
        packed = self.unpacker.unconsumed_tail or read_some(self.response, BLOCK)
        try:
            piece = self.unpacker.decompress(packed, room)
        except zlib.error as error:
            raise OSError(f"the answer is not compressed as it says ({error})") from None
        if not packed and not piece and not self.unpacker.eof:
            raise OSError("the compressed answer ends early")
        return piece


def too_large() -> OSError:
    """Return the error for an answer that does not fit into memory."""
    return OSError(f"the answer has more than {LARGEST_ANSWER >> 20} MiB")


def seconds_until(text: str, now: float) -> float | None:
    """Return the seconds that a ``Retry-After`` means; None for text that is neither form.

    >>> seconds_until("30", 0.0), seconds_until("Thu, 01 Jan 1970 00:01:00 GMT", 10.0)
    (30.0, 50.0)
    """
    text = text.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (TypeError, ValueError):
        return None


# -- TLS -------------------------------------------------------------------------------------------


def tls_context(files: TlsFiles) -> ssl.SSLContext:
    """Return a context that checks the server; OSError, with its name, for an unusable file."""
    if not files.checked:
        return unchecked_context()
    context = ssl.create_default_context()
    # Puppet's authorities sign certificates without some extensions that strict checks require.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if files.authority is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        with named(files.authority):
            context.load_verify_locations(files.authority)
    for other in files.others:
        with named(other):
            place = {"capath" if os.path.isdir(other) else "cafile": other}
            context.load_verify_locations(**place)
    if files.revocations is not None:
        with named(files.revocations):
            context.load_verify_locations(files.revocations)
        context.verify_flags |= DEPTHS[files.depth]
    if files.certificate is not None:
        with named(f"{files.certificate} with {files.key or 'its key'}"):
            context.load_cert_chain(files.certificate, files.key, password=no_password)
    return context


def unchecked_context() -> ssl.SSLContext:
    """Return a context that accepts any server, for the certificate of its authority itself."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
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


def status_phrase(status: int) -> str:
    """Return the phrase of a status.

    >>> status_phrase(404), status_phrase(599)
    ('Not Found', 'status 599')
    """
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"status {status}"
