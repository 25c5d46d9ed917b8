"""A small Puppet server for tests of the agent: TLS, an authority that signs, answers of a table."""

from __future__ import annotations

import gzip
import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding

from bunraku.base.records import field, record
from support.certificates import Authority

NAME, OTHER_NAME = "localhost", "puppet.example.com"
"""The names in the certificate of the server."""
Answer = tuple[int, str, bytes]
JSON, RICH_JSON, TEXT, BYTES = (
    "application/json;charset=utf-8",
    "application/vnd.puppet.rich+json; charset=utf-8",
    "text/plain",
    "application/octet-stream",
)


@record(frozen=True)
class Asked:
    """A request that came: its target in parts, its form, and the client's name."""

    method: str
    path: str
    pairs: list[tuple[str, str]]
    headers: Mapping[str, str]
    body: bytes
    client: str | None
    connection: int
    """The port of the client, by which requests of one connection are known."""

    @property
    def form(self) -> list[tuple[str, str]]:
        """The body as a form."""
        return parse_qsl(self.body.decode(), keep_blank_values=True)

    @property
    def line(self) -> str:
        """Method and path."""
        return f"{self.method} {self.path}"


@record(slots=False)
class Server:
    """The server: what was asked, and what is answered, by method and path.

    An entry of ``answers`` is an answer, or a function of the request. ``signs`` says whether
    requests for certificates are signed at once.
    """

    authority: Authority
    port: int = 0
    signs: bool = True
    asked: list[Asked] = field(default_factory=list)
    answers: dict[str, Answer | Callable[[Asked], Answer]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    """Where requests are redirected to, by method and path."""
    requests: dict[str, bytes] = field(default_factory=dict)
    certificates: dict[str, x509.Certificate] = field(default_factory=dict)

    def answer(self, asked: Asked) -> Answer:
        """Return the answer to a request."""
        self.asked.append(asked)
        found = self.answers.get(asked.line) or self.answers.get(f"{asked.line}?{asked.pairs}")
        if found is not None:
            return found(asked) if callable(found) else found
        if asked.path.startswith("/puppet-ca/v1/"):
            kind, name = asked.path.removeprefix("/puppet-ca/v1/").split("/")
            return self.answer_of_authority(asked, kind, name)
        message = {"message": f"Not Found: Could not find {asked.path}", "issue_kind": "x"}
        return 404, JSON, json.dumps(message).encode()

    def answer_of_authority(self, asked: Asked, kind: str, name: str) -> Answer:
        """Return the answer of the certificate authority."""
        if kind == "certificate_request":
            self.requests[name] = asked.body
            if self.signs:
                self.sign(name)
            return 200, TEXT, b""
        if kind == "certificate_revocation_list":
            return 200, TEXT, Path(self.authority.path("crl.pem")).read_bytes()
        if name == "ca":
            return 200, TEXT, Path(self.authority.path("ca.pem")).read_bytes()
        if name in self.certificates:
            return 200, TEXT, self.certificates[name].public_bytes(Encoding.PEM)
        return 404, TEXT, f"Could not find certificate {name}".encode()

    def sign(self, name: str) -> None:
        """Sign the request of a node."""
        request = x509.load_pem_x509_csr(self.requests[name])
        builder = (
            x509.CertificateBuilder()
            .subject_name(request.subject)
            .issuer_name(self.authority.name)
            .public_key(request.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(self.authority.now - self.authority.now.resolution)
            .not_valid_after(self.authority.now.replace(year=self.authority.now.year + 5))
        )
        self.certificates[name] = builder.sign(self.authority.key, hashes.SHA256())

    def lines(self) -> list[str]:
        """Return method and path of all requests, and forget them."""
        found = [one.line for one in self.asked]
        self.asked.clear()
        return found


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Yield a server on a port of this machine, whose authority is in a folder."""
    folder.mkdir(exist_ok=True)
    authority = Authority(folder)
    authority.sign(NAME, names=[OTHER_NAME])
    server = Server(authority)

    class Handler(BaseHTTPRequestHandler):
        """Gives requests to the server."""

        protocol_version = "HTTP/1.1"

        def handle_request(self) -> None:
            parts = urlsplit(self.path)
            size = int(self.headers.get("content-length") or 0)
            asked = Asked(
                self.command,
                parts.path,
                parse_qsl(parts.query, keep_blank_values=True),
                {name.lower(): value for name, value in self.headers.items()},
                self.rfile.read(size),
                client_name(self.connection),
                self.client_address[1],
            )
            place = server.places.get(asked.line)
            status, kind, body = (302, TEXT, b"") if place else server.answer(asked)
            self.send_response(status)
            self.send_header("content-type", kind)
            if place:
                self.send_header("location", place)
            if "gzip" in asked.headers.get("accept-encoding", "") and len(body) > 100:
                body = gzip.compress(body)
                self.send_header("content-encoding", "gzip")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            if asked.method != "HEAD":
                self.wfile.write(body)

        do_GET = do_PUT = do_POST = do_HEAD = handle_request

        def log_message(self, *_arguments: Any) -> None:
            """Print nothing."""

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority.path(f"{NAME}.pem"), authority.path(f"{NAME}.key"))
    context.load_verify_locations(authority.path("ca.pem"))
    context.verify_mode = ssl.CERT_OPTIONAL
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        listener.daemon_threads = True
        listener.handle_error = lambda *_arguments: None  # type: ignore[method-assign]
        listener.socket = context.wrap_socket(
            listener.socket, server_side=True, do_handshake_on_connect=False
        )
        server.port = listener.server_address[1]
        thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            listener.shutdown()
            thread.join()


def client_name(connection: Any) -> str | None:
    """Return the common name in the certificate of a client; None without one."""
    found = connection.getpeercert() or {}
    names = [value for part in found.get("subject", ()) for key, value in part]
    return names[-1] if names else None


def catalog(name: str, *resources: dict[str, Any], **more: Any) -> Answer:
    """Return the answer with a catalog of resources."""
    data = {
        "tags": [],
        "name": name,
        "version": 1,
        "code_id": None,
        "catalog_uuid": "d0fc22be-bb06-40d8-a007-3fd7f23f4f83",
        "catalog_format": 2,
        "environment": "production",
        "resources": list(resources),
        "edges": [],
        "classes": [],
        **more,
    }
    return 200, RICH_JSON, json.dumps(data).encode()


def resource(type_: str, title: str, **parameters: Any) -> dict[str, Any]:
    """Return a resource of a catalog."""
    return {
        "type": type_,
        "title": title,
        "tags": [type_.lower()],
        "exported": False,
        "parameters": parameters,
    }


def metadata(relative: str | None, kind: str = "file", value: str = "", **more: Any) -> Any:
    """Return the metadata of a file on the server; ``value`` is the checksum of its content."""
    checksum = {"type": "sha256", "value": f"{{sha256}}{value}"}
    if kind == "directory":
        checksum = {"type": "ctime", "value": "{ctime}2026-11-22 02:35:20 +0000"}
    return {
        "path": "/code",
        "relative_path": relative,
        "links": "manage",
        "owner": 0,
        "group": 0,
        "mode": 0o644 if kind == "file" else 0o755,
        "checksum": checksum,
        "type": kind,
        "destination": None,
        **more,
    }
