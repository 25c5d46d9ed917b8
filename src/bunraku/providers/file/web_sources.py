"""Sources of files on web servers: ``http:`` and ``https:``.

Their checksum comes from the headers of an answer, as in Puppet 8 (``Puppet::FileServing::HttpMetadata``).
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus

from bunraku.base.records import replace
from bunraku.providers.checksums import BLOCK, checksum_time
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file_server import ServedFile, Wanted
from bunraku.providers.secrets import without_password
from bunraku.web.requests import HttpRequest, HttpResponse
from bunraku.world.host import FileStatus, Host

UNKNOWN_OWNER = FileStatus("file", 0o644, 0, 0)
"""The status of a file on a web server, which has no owner and no mode."""
REFUSALS = (HTTPStatus.FORBIDDEN, HTTPStatus.METHOD_NOT_ALLOWED)
"""Answers to ``HEAD`` after which the first byte of the file is requested instead."""
DIGESTS = {"sha256": "x-checksum-sha256", "sha1": "x-checksum-sha1", "md5": "x-checksum-md5"}
"""Kind of checksum → header, in the order of preference."""
UNWRITABLE = re.compile(r"[^!-~]")
"""A character that a URL cannot have."""
LONGEST_MESSAGE = 2_000
"""Bytes of a server's message that an error shows."""


class NotServed(ResourceFailure):
    """The content of a file does not come."""


class WebFiles:
    """The files of web servers; ``request`` is what the requests have in common."""

    def __init__(self, host: Host, request: HttpRequest) -> None:
        self.host = host
        self.request = request

    def find(self, uri: str, wanted: Wanted) -> ServedFile | None:
        """Return the file with a URI; None if it does not exist, ResourceFailure without an answer."""
        found = self.headers(uri, "HEAD")
        if isinstance(found, int) and found in REFUSALS:
            found = self.headers(uri, "GET", {"Range": "bytes=0-0"})
        if isinstance(found, int):
            return None
        try:
            checksum = checksum_in(found, wanted.checksum_kind, self.host.now())
        except ValueError as error:
            raise source_failure(uri, error) from None
        return ServedFile(UNKNOWN_OWNER, checksum, partial(self.pieces, uri), owned=False)

    def headers(
        self, uri: str, method: str, more: Mapping[str, str] | None = None
    ) -> Mapping[str, str] | int:
        """Return the headers of a successful response, or the status of any other."""
        try:
            with self.answer(uri, method, more) as response:
                return response.headers if is_success(response.status) else response.status
        except OSError as error:
            raise source_failure(uri, error) from None

    def pieces(self, uri: str) -> Iterator[bytes]:
        """Yield the content of a file piece by piece; NotServed if it does not come."""
        try:
            with self.answer(uri, "GET") as response:
                if not is_success(response.status):
                    raise NotServed(answer_refusal(response))
                while piece := response.read(BLOCK):
                    yield piece
        except OSError as error:
            raise NotServed(str(error.strerror or error)) from None

    @contextmanager
    def answer(
        self, uri: str, method: str, more: Mapping[str, str] | None = None
    ) -> Iterator[HttpResponse]:
        """Yield the answer to a request; OSError without one."""
        if UNWRITABLE.search(uri):
            raise OSError(f'bad URI(is not URI?): "{without_password(uri)}"')
        headers = {**self.request.headers, **(more or {})}
        request = replace(self.request, method=method, url=uri, headers=headers)
        with self.host.http(request) as response:
            yield response


def checksum_in(headers: Mapping[str, str], kind: str, now: float) -> str:
    """Return the checksum in the headers of an answer: of a kind, or the best; ValueError if malformed.

    A file without a digest has the time of its last change, or the current time.

    >>> checksum_in({"content-md5": "rL0Y20zC+Fzt72VPzMSk2A=="}, "sha256", 0.0)
    '{md5}acbd18db4cc2f85cedef654fccc4a4d8'
    >>> checksum_in({"last-modified": "Thu, 01 Jan 2015 00:00:00 GMT"}, "md5", 0.0)
    '{mtime}2015-01-01 00:00:00 UTC'
    """
    digest = headers.get("content-md5")
    found = {} if digest is None else {"md5": b64decode(digest, validate=True).hex()}
    found |= {name: headers[header] for name, header in DIGESTS.items() if header in headers}
    for name in (kind, *DIGESTS):
        if name in found:
            return f"{{{name}}}{found[name]}"
    modified = headers.get("last-modified")
    if modified is None:
        return f"{{mtime}}{checksum_time(float(int(now)))}"
    from email.utils import parsedate_to_datetime  # slow to import; most runs ask no web server

    try:
        return f"{{mtime}}{parsedate_to_datetime(modified):%Y-%m-%d %H:%M:%S} UTC"
    except (TypeError, ValueError):
        raise ValueError(f"invalid date: {modified!r}") from None


def is_success(status: int) -> bool:
    """Return whether an answer is successful."""
    return HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES


def answer_refusal(response: HttpResponse) -> str:
    """Return the message for an answer that is not successful."""
    text = response.read(LONGEST_MESSAGE).decode("utf-8", "replace").strip()
    if not text and response.status in tuple(HTTPStatus):
        text = HTTPStatus(response.status).phrase
    return f"Error {response.status} on SERVER: {text}"


def source_failure(uri: str, reason: Exception) -> ResourceFailure:
    """Return the failure of a source."""
    text = reason.strerror or reason if isinstance(reason, OSError) else reason
    return ResourceFailure(f"Could not retrieve file metadata for {without_password(uri)}: {text}")
