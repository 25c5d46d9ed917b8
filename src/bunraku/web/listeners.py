"""Open sockets of a server."""

from __future__ import annotations

import ipaddress
import socket
import ssl

from bunraku.base.records import record

BACKLOG = 128


@record(frozen=True)
class Listener:
    """An open socket, and the context of TLS if it speaks TLS."""

    socket: socket.socket
    context: ssl.SSLContext | None = None

    def __enter__(self) -> Listener:
        """Return the listener; it is closed at the end of the ``with`` block."""
        return self

    def __exit__(self, *_error: object) -> None:
        self.socket.close()

    @property
    def url(self) -> str:
        """The URL of the root."""
        scheme = "http" if self.context is None else "https"
        host, port = self.socket.getsockname()[:2]
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens; an empty host means all addresses. OSError if it cannot.

    Its connections send at once: asyncio sets that only for sockets of an explicit protocol, and
    the end of a response would wait 40 ms for the client's acknowledgement of the start.
    """
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = found[0]
    listening = socket.create_server(address, family=family, backlog=BACKLOG)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches an address.

    >>> is_loopback("localhost"), is_loopback("::1"), is_loopback(""), is_loopback("0.0.0.0")
    (True, True, False, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
