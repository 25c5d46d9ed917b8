"""Keys on servers: ``http``, ``https`` and ``ftp``."""

from __future__ import annotations

import json
from http import HTTPStatus
from socket import gaierror

from bunraku.base.records import replace
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file.web_sources import is_success
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.secrets import without_password
from bunraku.types.ruby_semantics.values import to_s
from bunraku.web.requests import TlsFiles
from bunraku.world.host import Command

LARGEST = 16 << 20
"""The bytes of an answer that can be a key."""
REDIRECTS = frozenset({301, 302, 303, 307, 308})
"""The answers that Ruby's OpenURI follows."""


def key_from(resource: ManagedResource) -> bytes:
    """Return the key at the source of a resource; ResourceFailure if it does not come."""
    source = to_s(resource["source"])
    return by_ftp(resource, source) if source.startswith("ftp:") else by_http(resource, source)


def by_http(resource: ManagedResource, source: str) -> bytes:
    """Return the key on a web server; only ``weak_ssl`` accepts any certificate."""
    checked = not (
        resource.is_true("weak_ssl") and source.startswith("https:") and "@" not in source
    )
    common = resource.run.web
    network = replace(common.network, statuses=REDIRECTS)
    tls = TlsFiles(checked=checked)
    request = replace(common, url=source, headers={}, tls=tls, network=network)
    shown = without_password(source)
    try:
        with resource.run.host.http(request) as response:
            if is_success(response.status):
                return sized(response.read(LARGEST + 1), shown)
            known = response.status in tuple(HTTPStatus)
            phrase = HTTPStatus(response.status).phrase if known else ""
            raise ResourceFailure(f"{response.status} {phrase} for {shown}")
    except OSError as error:
        if isinstance(error, gaierror) or isinstance(error.__cause__, gaierror):
            raise ResourceFailure(f"could not resolve {shown}") from None
        raise ResourceFailure(f"{error.strerror or error} for {shown}") from None


def by_ftp(resource: ManagedResource, source: str) -> bytes:
    """Return the key on a server for FTP; curl gets the URL, which may have a password, as a file."""
    host, shown = resource.run.host, without_password(source)
    program = host.find_program("curl")
    if program is None:
        raise ResourceFailure(f"the program curl, which {shown} needs, is not installed")
    with host.temporary_file(b"") as path:
        settings = f"url = {json.dumps(source)}\noutput = {json.dumps(path)}\n".encode()
        words = (program, "--silent", "--show-error", "--fail", "--config", "-")
        done = host.execute(Command(words, content=settings, merged=True))
        if done.code != 0:
            raise ResourceFailure(f"{done.output.strip()} for {shown}")
        return sized(host.read(path), shown)


def sized(content: bytes, shown: str) -> bytes:
    """Return a content; ResourceFailure if it is too large to be a key."""
    if len(content) > LARGEST:
        raise ResourceFailure(f"{shown} has more than {LARGEST} bytes, so it is not a key")
    return content
