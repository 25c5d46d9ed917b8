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
from bunraku.web.tls import common_name

HEADER_SECONDS = 30.0
"""The time for the line and the headers of a request."""
CHECK_SECONDS = 5.0
CLOSE_SECONDS = 2.0
"""The time for the client to confirm the end of a connection when the server stops."""


class Connection(H11Protocol):
    """A connection whose requests have the verified certificate in ``scope["extensions"]["tls"]``.

    The keys are those of ASGI's extension for TLS, ``client_common_name`` and ``client_certificate``
    (DER).
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.inner = self.app
        self.app = self.with_certificate
        self.tls: dict[str, Any] | None = None
        self.idle_since = self.loop.time()
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

    def shutdown(self) -> None:
        """Close the connection when its request is complete; see ``Server.shutdown`` of uvicorn.

        A client of TLS that is busy with other work does not confirm the end, for which asyncio
        waits 30 seconds.
        """
        super().shutdown()
        if self.transport.is_closing():
            self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def on_response_complete(self) -> None:
        """Note the time from which the next request is awaited."""
        self.idle_since = self.loop.time()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that is not HTTP; close if its answer has begun, or cannot have a body."""
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:
            self.transport.close()

    def check(self) -> None:
        """Close the connection if a request has begun long ago and its headers are not complete."""
        waiting = self.conn.their_state is h11.IDLE
        if waiting and self.loop.time() - self.idle_since > HEADER_SECONDS:
            self.transport.abort()
            return
        self.checking = self.loop.call_later(CHECK_SECONDS, self.check)

    async def with_certificate(self, scope: Message, receive: Receive, send: Send) -> None:
        """Call the application with the certificate in the scope."""
        if self.tls is not None:
            scope["extensions"] = {**(scope.get("extensions") or {}), "tls": self.tls}
        await self.inner(scope, receive, send)


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
