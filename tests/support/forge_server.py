"""A Forge (API version 3) on a port of this machine, with releases that a test declares."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import ssl
import tarfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from bunraku.base.records import field, record
from bunraku.values.version import SemVer

Dependencies = Mapping[str, str]


@record()
class Fault:
    """What the server does instead of an answer, so many ``times``."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    times: int = 1_000_000
    cut: bool = False
    """Whether the connection ends before the body does."""


@record(slots=False)
class ForgeServer:
    """The server: ``requests`` are the paths that were asked for, ``headers`` those of each request."""

    url: str = ""
    page_size: int = 100
    with_sha256: bool = True
    archives: dict[tuple[str, str], bytes] = field(default_factory=dict)
    dependencies: dict[tuple[str, str], Dependencies] = field(default_factory=dict)
    deleted: set[tuple[str, str]] = field(default_factory=set)
    deprecated: set[str] = field(default_factory=set)
    wrong: set[tuple[str, str]] = field(default_factory=set)
    faults: dict[str, Fault] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)

    def add(
        self,
        slug: str,
        version: str,
        dependencies: Dependencies | None = None,
        files: Mapping[str, str] | None = None,
    ) -> None:
        """Publish a release."""
        self.dependencies[slug, version] = dependencies or {}
        metadata = json.dumps({"name": slug, "version": version})
        content = {"metadata.json": metadata, **(files or {})}
        self.archives[slug, version] = module_archive(f"{slug}-{version}", content)

    def take_requests(self) -> list[str]:
        """Return the paths that were asked for since the last call, without parameters."""
        paths = [urlsplit(one).path for one in self.requests]
        self.requests.clear()
        return paths

    def versions(self, slug: str) -> list[str]:
        """Return the versions of a module that are not deleted, the highest first."""
        found = [version for name, version in self.archives if name == slug]
        kept = [version for version in found if (slug, version) not in self.deleted]
        return sorted(kept, key=SemVer.parse, reverse=True)

    def release(self, slug: str, version: str) -> dict[str, Any]:
        """Return the description of a release; KeyError for an unknown one."""
        content = self.archives[slug, version]
        sha256, md5 = hashlib.sha256(content).hexdigest(), hashlib.md5(content).hexdigest()
        if (slug, version) in self.wrong:
            sha256, md5 = "0" * 64, "0" * 32
        wanted = self.dependencies[slug, version].items()
        return {
            "uri": f"/v3/releases/{slug}-{version}",
            "slug": f"{slug}-{version}",
            "version": version,
            "module": {
                "uri": f"/v3/modules/{slug}",
                "slug": slug,
                "name": slug.partition("-")[2],
                "owner": self.owner(slug),
                "deprecated_at": self.deprecation(slug),
            },
            "metadata": {
                "name": slug,
                "version": version,
                "dependencies": [
                    {"name": name.replace("-", "/"), "version_requirement": versions}
                    for name, versions in wanted
                ],
            },
            "file_uri": f"/v3/files/{slug}-{version}.tar.gz",
            "file_size": len(content),
            "file_md5": md5,
            **({"file_sha256": sha256} if self.with_sha256 else {}),
            "deleted_at": "2024-02-01 00:00:00" if (slug, version) in self.deleted else None,
        }

    def deprecation(self, slug: str) -> str | None:
        """Return when a module was deprecated."""
        return "2024-03-01 00:00:00" if slug in self.deprecated else None

    def module(self, slug: str) -> dict[str, Any]:
        """Return the description of a module; KeyError for an unknown one."""
        if not any(name == slug for name, _version in self.archives):
            raise KeyError(slug)
        versions = self.versions(slug)
        stable = [one for one in versions if "-" not in one] or versions
        current = self.release(slug, stable[0]) if stable else None
        return {
            "uri": f"/v3/modules/{slug}",
            "slug": slug,
            "name": slug.partition("-")[2],
            "owner": self.owner(slug),
            "deprecated_at": self.deprecation(slug),
            "current_release": current,
            "releases": [
                {"uri": f"/v3/releases/{slug}-{one}", "slug": f"{slug}-{one}", "version": one}
                for one in versions
            ],
        }

    def owner(self, slug: str) -> dict[str, str]:
        """Return the description of the owner of a module."""
        name = slug.partition("-")[0]
        return {"uri": f"/v3/users/{name}", "slug": name, "username": name}

    def page(self, target: str) -> dict[str, Any]:
        """Return a page of the releases of a module."""
        asked = parse_qs(urlsplit(target).query)
        slug, offset = asked["module"][0], int(asked.get("offset", ["0"])[0])
        versions = self.versions(slug)
        shown = versions[offset : offset + self.page_size]
        following = offset + self.page_size
        more = f"/v3/releases?module={slug}&offset={following}"
        return {
            "pagination": {"next": more if following < len(versions) else None},
            "results": [self.release(slug, one) for one in shown],
        }

    def body(self, target: str) -> bytes:
        """Return the body of an answer; KeyError if there is nothing at an address."""
        kind, _, name = urlsplit(target).path.removeprefix("/v3/").partition("/")
        if kind == "files":
            owner, title, version = name.removesuffix(".tar.gz").split("-", 2)
            return self.archives[f"{owner}-{title}", version]
        if kind == "modules":
            return json.dumps(self.module(name)).encode()
        if kind == "releases" and not name:
            return json.dumps(self.page(target)).encode()
        owner, title, version = name.split("-", 2)
        return json.dumps(self.release(f"{owner}-{title}", version)).encode()

    def answer(self, target: str, asked: Mapping[str, str]) -> Fault:
        """Return the answer to a request."""
        path = urlsplit(target).path
        fault = self.faults.get(path)
        if fault is not None and fault.times > 0:
            fault.times -= 1
            return fault
        try:
            body = self.body(target)
        except (KeyError, ValueError):
            return Fault(404, body=b'{"message": "404 Not Found"}')
        etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        if asked.get("if-none-match") == etag:
            return Fault(304, {"ETag": etag})
        kind = "application/gzip" if path.endswith(".tar.gz") else "application/json; charset=utf-8"
        return Fault(200, {"ETag": etag, "Content-Type": kind}, body)


def module_archive(top: str, files: Mapping[str, str]) -> bytes:
    """Return an archive of a module with one directory at its top."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, text in sorted(files.items()):
            member = tarfile.TarInfo(f"{top}/{name}")
            member.size, member.mode = len(text.encode()), 0o644
            archive.addfile(member, io.BytesIO(text.encode()))
    return gzip.compress(raw.getvalue(), mtime=0)


def handler(forge: ForgeServer) -> type[BaseHTTPRequestHandler]:
    """Return the class that answers the requests of a server."""

    class Handler(BaseHTTPRequestHandler):
        """Answers one connection."""

        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            forge.requests.append(self.path)
            asked = {name.lower(): value for name, value in self.headers.items()}
            forge.headers.append(asked)
            found = forge.answer(self.path, asked)
            forge.statuses.append(found.status)
            self.send_response(found.status)
            for name, value in found.headers.items():
                self.send_header(name, value)
            body = found.body
            length = len(body) * 2 + 10 if found.cut else len(body)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(body)
            if found.cut:
                self.close_connection = True

        def log_message(self, *_arguments: object) -> None:
            """Print nothing."""

    return Handler


@contextmanager
def serving_forge(
    address: str = "127.0.0.1", context: ssl.SSLContext | None = None
) -> Iterator[ForgeServer]:
    """Yield a running Forge without modules; with a context it speaks TLS."""
    forge = ForgeServer()
    server = ThreadingHTTPServer((address, 0), handler(forge))
    server.daemon_threads = True
    scheme = "http"
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        scheme = "https"
    forge.url = f"{scheme}://{address}:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield forge
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
