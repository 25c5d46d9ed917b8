"""A git server on a port of this machine: git's own HTTP backend, with TLS and a password if asked for."""

from __future__ import annotations

import os
import ssl
import subprocess
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from bunraku.base.records import field, record

BACKEND = Path("/usr/lib/git-core/git-http-backend")


@record()
class GitServer:
    """The server: ``login`` is the user and the password that it wants, ``seen`` what it got."""

    url: str
    login: str = ""
    seen: list[str] = field(default_factory=list)


@contextmanager
def serving_git(
    root: Path, *, login: str = "", certificate: Path | None = None
) -> Iterator[GitServer]:
    """Serve the bare repositories in a directory; with a file of a certificate and its key, by TLS."""
    wanted = f"Basic {b64encode(login.encode()).decode()}" if login else ""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            given = self.headers.get("Authorization", "")
            served.seen.append(given)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if wanted and given != wanted:
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="git"')
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.answer(body)

        do_POST = do_GET

        def answer(self, body: bytes) -> None:
            path, _, query = self.path.partition("?")
            variables = {
                **os.environ,
                "GIT_PROJECT_ROOT": str(root),
                "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            }
            done = subprocess.run(
                [BACKEND], input=body, env=variables, capture_output=True, check=False
            )
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if line)
            self.send_response(int(headers.pop("Status", "200").split()[0]))
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_arguments: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_arguments: object) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    scheme = "http"
    if certificate is not None:
        scheme = "https"
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        # The handshake is in the thread of a connection, which closes it if the client refuses.
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    served = GitServer(f"{scheme}://127.0.0.1:{server.server_port}", login)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()


def self_signed(directory: Path) -> Path:
    """Write a certificate for 127.0.0.1 and its key to one file, and return the path."""
    path = directory / "server.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=x",
    ]
    command += [
        "-addext",
        "subjectAltName=IP:127.0.0.1",
        "-keyout",
        str(path),
        "-out",
        "/dev/stdout",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    with path.open("a") as file:
        file.write(done.stdout)
    return path
