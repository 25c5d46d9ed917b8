"""A proxy for HTTP and HTTPS on a port of this machine, which remembers what was asked."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from bunraku.base.records import field, record


@record(slots=False)
class WebProxy:
    """The proxy; ``asked`` are method, target and authorization of each request."""

    port: int = 0
    refuses: bool = False
    names: dict[str, str] = field(default_factory=dict)
    """Hosts under names that only the proxy has."""
    asked: list[tuple[str, str, str | None]] = field(default_factory=list)


def pump(source: socket.socket, target: socket.socket) -> None:
    """Copy bytes until one side ends."""
    with suppress(OSError):
        while piece := source.recv(65536):
            target.sendall(piece)
    for one in (source, target):
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxying() -> Iterator[WebProxy]:
    """Yield a proxy that reaches every server of this machine."""
    proxy = WebProxy()

    class Handler(BaseHTTPRequestHandler):
        """Forwards requests and tunnels."""

        protocol_version = "HTTP/1.1"

        def note(self) -> None:
            allowed = self.headers.get("proxy-authorization")
            proxy.asked.append((self.command, self.path, allowed))

        def do_CONNECT(self) -> None:
            self.note()
            self.close_connection = True
            if proxy.refuses:
                self.send_error(403)
                return
            host, _, port = self.path.rpartition(":")
            host = proxy.names.get(host, host).strip("[]")
            with socket.create_connection((host, int(port))) as there:
                self.send_response(200)
                self.end_headers()
                back = threading.Thread(target=pump, args=(there, self.connection))
                back.start()
                pump(self.connection, there)
                back.join()

        def do_GET(self) -> None:
            self.note()
            parts = urlsplit(self.path)
            there = HTTPConnection(parts.hostname or "", parts.port or 80)
            there.request("GET", parts.path, headers={"Host": self.headers["host"]})
            answer = there.getresponse()
            body = answer.read()
            there.close()
            self.send_response(answer.status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: Any) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        listener.daemon_threads = True
        proxy.port = listener.server_address[1]
        thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield proxy
        finally:
            listener.shutdown()
            thread.join()
