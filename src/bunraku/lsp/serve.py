"""Start the server on standard streams or on a port."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.lsp.connection import JsonRpcStream
from bunraku.lsp.server import Lint, Server
from bunraku.web.message_stream import standard_streams

HOST = "127.0.0.1"


def serve_streams(lint: Lint) -> int:
    """Serve the client at standard input and output."""
    return Server(JsonRpcStream(*standard_streams()), lint).run()


def serve_port(port: int, lint: Lint, ready: Callable[[str], None]) -> int:
    """Serve the first client that connects to a port of this machine; 0 chooses a free port."""
    import socket

    with socket.create_server((HOST, port)) as listener:
        ready(f"listening on {HOST}:{listener.getsockname()[1]}")
        client, _address = listener.accept()
    with client, client.makefile("rb") as incoming, client.makefile("wb") as outgoing:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return Server(JsonRpcStream(incoming, outgoing), lint).run()
