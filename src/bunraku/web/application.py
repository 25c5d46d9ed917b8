"""An ASGI 3 application: requests are answered by a function, in a bounded number of threads.

The function reads the body of a request and makes the pieces of the response in its thread; both
cross to the event loop piece by piece, so a body of any size needs the memory of a few pieces.
"""

from __future__ import annotations

import asyncio
from collections.abc import (
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
)
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Event
from time import monotonic
from typing import Any, TypeAlias, TypeVar
from urllib.parse import parse_qsl, quote

from bunraku.base.records import record
from bunraku.web.compression import filled_pieces
from bunraku.web.http import TEXT_TYPE, BodyTooLarge, ClientGone, Request, Response, text_response

Message: TypeAlias = "MutableMapping[str, Any]"
Receive: TypeAlias = "Callable[[], Awaitable[Message]]"
Send: TypeAlias = "Callable[[Message], Awaitable[None]]"
Answer: TypeAlias = "Callable[[Request], Response]"

T = TypeVar("T")
EMPTY = b""
UNWATCHED_SECONDS = 0.05
"""How long a request is worked on before its connection is watched; most end sooner."""
TWO_ENDS = {"content-length", "transfer-encoding"}


@record(frozen=True)
class Limits:
    """What a client may use; times are in seconds, sizes in bytes.

    A thread is taken when a body is complete or has ``ahead`` bytes. Requests that would need more
    than ``ahead_of_all`` bytes for this are refused. A client must send the whole body within
    ``body_seconds``, and take each piece of a response within ``piece_seconds``.
    """

    threads: int = 16
    ahead: int = 1024 * 1024
    ahead_of_all: int = 512 * 1024 * 1024
    body_seconds: float = 300.0
    piece_seconds: float = 60.0


@record(frozen=True)
class Visit:
    """What an access log has about a request; ``size`` is that of the response's body in bytes."""

    request: Request
    address: str
    target: str
    protocol: str
    status: int
    size: int
    seconds: float


@record(frozen=True)
class Whole:
    """A response of one piece, which the event loop sends: its thread need not wait for that."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Held:
    """The bytes of bodies that all requests hold."""

    def __init__(self) -> None:
        self.bytes = 0


class TooMuchHeld(Exception):
    """Raised when a body exceeds the memory that all bodies may use together."""


FULL = "The server holds too many bodies of requests; send the request again later"
RETRY_SECONDS = 30


class Broken(Exception):
    """Raised to the server after an error in the middle of a response: it closes the connection."""


class BodyTooSlow(Exception):
    """Raised while a body is read that does not arrive in time."""


def ignore(_text: str, _error: BaseException | None) -> None:
    """Report nothing."""


class Application:
    """Answers requests by ``answer``.

    ``report`` is called with unexpected exceptions, ``visited`` after each request, ``trouble`` with
    what the server cannot do, such as to accept connections.
    """

    def __init__(
        self,
        answer: Answer,
        limits: Limits | None = None,
        report: Callable[[Request, Exception], None] | None = None,
        visited: Callable[[Visit], None] | None = None,
        trouble: Callable[[str, BaseException | None], None] = ignore,
    ) -> None:
        self.answer = answer
        self.limits = limits or Limits()
        self.report = report
        self.visited = visited
        self.trouble = trouble
        self.threads = ThreadPoolExecutor(self.limits.threads, "request")
        self.active: set[Exchange] = set()
        self.held = Held()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, or a message about the life of the server."""
        if scope["type"] == "lifespan":
            await live(receive, send)
        elif scope["type"] == "http":
            await self.exchange(scope, receive, send)

    async def exchange(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        loop = asyncio.get_running_loop()
        exchange = Exchange(scope, receive, send, loop, self.limits, self.held)
        self.active.add(exchange)
        started = monotonic()
        try:
            await exchange.read_ahead()
            if not exchange.gone.is_set():
                with exchange.watched():
                    whole = await loop.run_in_executor(self.threads, self.work, exchange)
                if whole is not None:
                    await exchange.finish(whole)
        except TooMuchHeld:
            headers = {"content-type": TEXT_TYPE, "retry-after": str(RETRY_SECONDS)}
            await exchange.finish(Whole(503, {**headers, "connection": "close"}, FULL.encode()))
        finally:
            self.active.discard(exchange)
            self.held.bytes -= exchange.size_ahead
            exchange.leave()
        if self.visited is not None:
            self.visited(exchange.visit(monotonic() - started))

    def work(self, exchange: Exchange) -> Whole | None:
        """Make a response in a thread; return it if it is to be sent whole, None if it is sent."""
        try:
            response = self.response_to(exchange.request)
            try:
                return exchange.respond(response)
            finally:
                close = getattr(response.body, "close", None)
                if close is not None:
                    close()
        except ClientGone:
            return None
        except Exception as error:
            self.note(exchange.request, error)
            if exchange.status:
                raise Broken from None
            return exchange.respond(text_response(500, "Internal Server Error"))

    def response_to(self, request: Request) -> Response:
        """Return the response to a request, also if its body is too long or too slow.

        A request with two different statements about the end of its body is refused (RFC 9112,
        section 6.1): a proxy before the server may believe the other one.
        """
        if request.headers.keys() >= TWO_ENDS:
            text = "The request has both Content-Length and Transfer-Encoding"
            return Response(400, {"content-type": TEXT_TYPE, "connection": "close"}, [text])
        try:
            return self.answer(request)
        except BodyTooLarge:
            return text_response(413, "The body of the request is too large")
        except BodyTooSlow:
            return text_response(408, "The body of the request did not arrive in time")

    def note(self, request: Request, error: Exception) -> None:
        """Report an unexpected exception."""
        if self.report is not None:
            self.report(request, error)

    def interrupt(self) -> None:
        """Make the threads leave their work at the next piece."""
        for exchange in list(self.active):
            exchange.leave()

    def close(self) -> None:
        """Wait for the threads to end."""
        self.interrupt()
        self.threads.shutdown()


async def live(receive: Receive, send: Send) -> None:
    """Confirm that the server starts and stops."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


class Exchange:
    """A request on its way: what its thread and the event loop share."""

    def __init__(
        self,
        scope: Message,
        receive: Receive,
        send: Send,
        loop: asyncio.AbstractEventLoop,
        limits: Limits,
        held: Held,
    ) -> None:
        self.scope = scope
        self.receive = receive
        self.send = send
        self.loop = loop
        self.limits = limits
        self.gone = Event()
        self.waiting: Future[Any] | None = None
        self.watching: asyncio.Task[None] | None = None
        self.held = held
        self.ahead: list[bytes] = []
        self.size_ahead = 0
        self.complete = asyncio.Event()
        self.deadline = monotonic() + limits.body_seconds
        self.status = 0
        self.size = 0
        self.request = scope_request(scope, self.body(), self.gone.is_set)

    # -- in the event loop ---------------------------------------------------------------------------

    async def read_ahead(self) -> None:
        """Read the start of the body, or all of it, before a thread is taken; TooMuchHeld."""
        try:
            while not self.complete.is_set() and self.size_ahead < self.limits.ahead:
                piece = await self.next_piece()
                self.size_ahead += len(piece)
                self.held.bytes += len(piece)
                if self.held.bytes > self.limits.ahead_of_all:
                    raise TooMuchHeld
                self.ahead.append(piece)
        except BodyTooSlow:  # which the thread notices, too
            self.deadline = monotonic()

    async def next_piece(self) -> bytes:
        """Return the next piece of the body."""
        left = self.deadline - monotonic()
        if left <= 0:
            raise BodyTooSlow
        try:
            async with asyncio.timeout(left):
                message = await self.receive()
        except TimeoutError:
            raise BodyTooSlow from None
        if message["type"] == "http.disconnect":
            self.leave()
        if not message.get("more_body", False):
            self.complete.set()
        piece: bytes = message.get("body", EMPTY)
        return piece

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Notice within the block that the client closes the connection."""
        timer = self.loop.call_later(UNWATCHED_SECONDS, self.start_watching)
        try:
            yield
        finally:
            timer.cancel()
            if self.watching is not None:
                self.watching.cancel()

    def start_watching(self) -> None:
        """Watch the connection."""
        self.watching = self.loop.create_task(self.watch())

    async def watch(self) -> None:
        """Note that the client closes the connection after it has sent the body."""
        await self.complete.wait()
        while not self.gone.is_set():
            message = await self.receive()
            if message["type"] == "http.disconnect":
                self.leave()

    async def finish(self, whole: Whole) -> None:
        """Send a response of one piece, unless the client is gone or does not take it in time."""
        if not self.gone.is_set():
            with suppress(TimeoutError):
                await self.write(whole.status, whole.headers, whole.body)

    def leave(self) -> None:
        """Tell the thread that its work is of no use any more."""
        self.gone.set()
        waiting = self.waiting
        if waiting is not None:
            waiting.cancel()

    # -- in the thread -------------------------------------------------------------------------------

    def body(self) -> Iterator[bytes]:
        """Yield the pieces of the body."""
        while self.ahead:
            yield self.ahead.pop(0)
        while not self.complete.is_set():
            yield self.wait_for(self.next_piece())
        if self.gone.is_set():
            raise ClientGone

    def respond(self, response: Response) -> Whole | None:
        """Send a response; one of a single piece is returned instead, with its length.

        The response to HEAD has no body, but the length of the one that GET returns.
        """
        if self.request.method == "HEAD" and "content-length" in response.headers:
            return Whole(response.status, response.headers, EMPTY)
        pieces = filled_pieces(response.body)
        first = next(pieces, EMPTY)
        second = next(pieces, None)
        headers = dict(response.headers)
        if second is None:
            headers["content-length"] = str(len(first))
            return Whole(response.status, headers, first)
        self.wait_for(self.write(response.status, headers, first, more=True))
        self.wait_for(self.write(0, {}, second, more=True))
        for piece in pieces:
            self.wait_for(self.write(0, {}, piece, more=True))
        self.wait_for(self.write(0, {}, EMPTY))
        return None

    def wait_for(self, step: Coroutine[Any, Any, T]) -> T:
        """Return the result of a step in the event loop."""
        if self.gone.is_set():
            step.close()
            raise ClientGone
        waiting = asyncio.run_coroutine_threadsafe(step, self.loop)
        self.waiting = waiting
        try:
            return waiting.result()
        except (CancelledError, TimeoutError):
            self.leave()
            raise ClientGone from None
        finally:
            self.waiting = None

    async def write(
        self, status: int, headers: Mapping[str, str], piece: bytes, *, more: bool = False
    ) -> None:
        """Send a piece of the response, before the first one status and headers."""
        message = {"type": "http.response.body", "body": piece, "more_body": more}
        async with asyncio.timeout(self.limits.piece_seconds):
            if status:
                self.status = status
                lines = [
                    (name.lower().encode(), value.encode("latin-1", "replace"))
                    for name, value in headers.items()
                ]
                await self.send({"type": "http.response.start", "status": status, "headers": lines})
            self.size += len(piece)
            await self.send(message)

    def visit(self, seconds: float) -> Visit:
        """Return what an access log has about the request."""
        client = self.scope.get("client") or ("-", 0)
        query = self.scope.get("query_string", EMPTY).decode("latin-1")
        target = self.request.path + (f"?{query}" if query else "")
        protocol = f"HTTP/{self.scope.get('http_version', '1.1')}"
        return Visit(self.request, client[0], target, protocol, self.status, self.size, seconds)


def scope_request(scope: Message, body: Iterable[bytes], gone: Callable[[], bool]) -> Request:
    """Return the request of an ASGI scope; its path is as the client has written it."""
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    raw = scope.get("raw_path")
    path = quote(scope["path"]) if raw is None else raw.decode("latin-1")
    query = scope.get("query_string", EMPTY).decode("latin-1")
    found = parse_qsl(query, keep_blank_values=True, encoding="utf-8", errors="replace")
    tls = (scope.get("extensions") or {}).get("tls") or {}
    return Request(
        scope["method"],
        path,
        dict(found),
        headers,
        body,
        tls.get("client_common_name"),
        scope.get("scheme") == "https",
        gone,
        found,
        tls.get("client_certificate"),
        (scope.get("client") or ("", 0))[0],
    )
