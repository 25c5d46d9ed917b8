"""Where clients connect: standard input and output, or a TCP port."""

from __future__ import annotations

import socket
import sys

from bunraku.base.usage import UsageError
from bunraku.debug.adapter import Adapter
from bunraku.web.message_stream import MessageStream, standard_streams

LOOPBACK = "127.0.0.1"


def serve_standard_streams() -> None:
    """Serve one client on standard input and output; what programs print goes to standard error."""
    client = MessageStream(*standard_streams())
    sys.stdout = sys.stderr
    Adapter(client).serve()


def listening(port: int, host: str = LOOPBACK) -> socket.socket:
    """Return a socket that listens. Raises UsageError."""
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise UsageError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None


def serve_port(server: socket.socket) -> None:
    """Serve clients one after another, until the process ends."""
    while True:
        connection, _address = server.accept()
        with connection:
            Adapter(stream_of(connection)).serve()


def stream_of(connection: socket.socket) -> MessageStream:
    """Return the messages of a connection."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return MessageStream(connection.makefile("rb"), connection.makefile("wb"))
