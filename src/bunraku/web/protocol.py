"""uvicorn's protocol of connections, with what it lacks: certificates of clients, a time limit.

This module and ``server`` need the extra ``server``; nothing else in the package does.
"""

from __future__ import annotations

import asyncio
import ssl
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from bunraku.web.application import Message, Receive, Send
from bunraku.web.http import TEXT_TYPE
from bunraku.web.server_limits import ServerLimits
from bunraku.web.tls import common_name

CHECKS = 6
"""How often the time limit of a request is checked while it lasts."""


class Connection(H11Protocol):
    """A connection whose requests have the verified certificate in ``scope["extensions"]["tls"]``.

    The keys are those of ASGI's extension for TLS, ``client_common_name`` and ``client_certificate``
    (DER). A client that sends or takes nothing within ``limits`` loses the connection.
    """

    limits = ServerLimits()

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.inner = self.app
        self.app = self.accepted
        self.tls: dict[str, Any] | None = None
        self.awaited_since: float | None = self.loop.time()
        """The time since which the client owes the rest of a request; None between requests."""
        self.checking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the certificate of the client; start to watch for slow requests."""
        if not isinstance(transport, asyncio.Transport):
            raise TypeError(f"cannot read and write a {type(transport).__name__}")
        super().connection_made(transport)
        secured = transport.get_extra_info("ssl_object")
        if secured is not None:
            self.tls = certificate(secured)
        self.check()

    def connection_lost(self, error: Exception | None) -> None:
        """Stop watching."""
        if self.checking is not None:
            self.checking.cancel()
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Note the time at which a request begins."""
        if self.awaited_since is None:
            self.awaited_since = self.loop.time()
        super().data_received(data)

    def shutdown(self) -> None:
        """Close the connection when its request is complete; see ``Server.shutdown`` of uvicorn."""
        super().shutdown()
        self.end_after(self.limits.close_seconds)

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection after a time without requests."""
        super().timeout_keep_alive_handler()
        self.end_after(self.limits.header_seconds)

    def end_after(self, seconds: float) -> None:
        """End a connection that is closed, also if the client does not take what it still gets.

        A client of TLS that is busy with other work does not confirm the end, for which asyncio
        waits 30 seconds; without TLS it waits for ever for the client to read a response.
        """
        if self.transport.is_closing():
            self.loop.call_later(seconds, self.transport.abort)

    def on_response_complete(self) -> None:
        """Note whether the client owes the rest of a request, or is between two of them."""
        read_all = self.conn.their_state is not h11.SEND_BODY
        begun = bool(self.conn.trailing_data[0])
        self.awaited_since = None if read_all and not begun else self.loop.time()
        super().on_response_complete()
        self.end_after(self.limits.header_seconds)

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that is not HTTP; close if its answer has begun, or cannot have a body."""
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:
            self.transport.close()
        self.end_after(self.limits.header_seconds)

    def check(self) -> None:
        """Close the connection if the client has owed the rest of a request for too long."""
        since = self.owed_since()
        if since is not None and self.loop.time() - since > self.limits.header_seconds:
            self.transport.abort()
            return
        self.checking = self.loop.call_later(self.limits.header_seconds / CHECKS, self.check)

    def owed_since(self) -> float | None:
        """Return the time since which headers, or a body after its response, are missing."""
        answered = self.conn.our_state in {h11.DONE, h11.MUST_CLOSE}
        return self.awaited_since if answered or self.conn.their_state is h11.IDLE else None

    async def accepted(self, scope: Message, receive: Receive, send: Send) -> None:
        """Call the application with the certificate in the scope.

        A response that it does not complete ends the connection at once: the client has left, or
        takes nothing.
        """
        if self.tls is not None:
            scope["extensions"] = {**(scope.get("extensions") or {}), "tls": self.tls}
        cycle = self.cycle
        try:
            if head_bytes(scope) > self.limits.header_bytes:
                await refuse_head(send)
            else:
                await self.inner(scope, receive, send)
        finally:
            if cycle.response_started and not cycle.response_complete:
                self.transport.abort()


def head_bytes(scope: Message) -> int:
    """Return the size of the target and the headers of a request.

    h11 limits only what arrives in several pieces.
    """
    headers = sum(len(name) + len(value) for name, value in scope["headers"])
    return headers + len(scope["raw_path"]) + len(scope["query_string"])


async def refuse_head(send: Send) -> None:
    """Refuse a request whose headers are too large (RFC 6585, section 5)."""
    headers = [(b"content-type", TEXT_TYPE.encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 431, "headers": headers})
    await send({"type": "http.response.body", "body": b"The headers of the request are too large"})


def connections(limits: ServerLimits) -> type[Connection]:
    """Return the class of connections with limits: uvicorn makes the objects."""
    return type("LimitedConnection", (Connection,), {"limits": limits})


def certificate(secured: ssl.SSLObject) -> dict[str, Any]:
    """Return what the application can know of the verified certificate of a client."""
    found: dict[str, Any] = {
        "client_cert_chain": [],
        "client_common_name": None,
        "client_certificate": None,
    }
    content = secured.getpeercert(binary_form=True)
    fields: Any = secured.getpeercert()
    if content and fields:
        found["client_certificate"] = content
        found["client_cert_chain"] = [ssl.DER_cert_to_PEM_cert(content)]
        found["client_common_name"] = common_name(fields.get("subject", ()))
    return found
